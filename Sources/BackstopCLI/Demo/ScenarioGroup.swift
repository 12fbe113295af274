#if Demo
    /// Scenarios that belong together.
    struct ScenarioGroup: Sendable {
        let title: String
        let scenarios: [Scenario]

        /// All scenarios, in the order of the demo: what shows most comes first.
        static let all = [
            ScenarioGroup(title: "Retry", scenarios: Scenario.retries),
            ScenarioGroup(title: "Content that cannot be read", scenarios: Scenario.bodies),
            ScenarioGroup(title: "Connections and time limits", scenarios: Scenario.connections),
            ScenarioGroup(title: "Streams", scenarios: Scenario.streams),
            ScenarioGroup(title: "Errors of the service", scenarios: Scenario.serviceErrors),
            ScenarioGroup(title: "Handlers", scenarios: Scenario.handlers),
            ScenarioGroup(title: "Resilience", scenarios: Scenario.resilience),
            ScenarioGroup(title: "GraphQL: responses", scenarios: Scenario.graphQLResponses),
            ScenarioGroup(title: "GraphQL: persisted queries", scenarios: Scenario.persistedQueries),
            ScenarioGroup(title: "GraphQL: cache", scenarios: Scenario.caches),
            ScenarioGroup(title: "GraphQL: live", scenarios: Scenario.live + Scenario.liveSockets),
            ScenarioGroup(title: "Patterns", scenarios: Scenario.patterns),
            ScenarioGroup(title: "The sign-up service", scenarios: Scenario.signUp),
        ]

        /// The group with the scenarios whose names begin with a text; nil when there are none.
        func only(_ prefix: String?) -> ScenarioGroup? {
            let chosen = scenarios.filter { prefix.map($0.name.hasPrefix) ?? true }
            return chosen.isEmpty ? nil : ScenarioGroup(title: title, scenarios: chosen)
        }
    }
#endif
