import Backstop

/// Shows an alert for whatever no call has handled: `try DefaultHandlers.register { alerts(on: screen) }`.
func alerts(on screen: HomeScreen) -> [any FailureHandler] {
    [Otherwise(name: "alert") { @MainActor failure in screen.alert = failure.message.title }]
}

@MainActor
final class HomeScreen {
    private(set) var status = 0
    private(set) var isEmpty = false
    fileprivate(set) var alert: String?

    @discardableResult
    func load(_ path: String, with client: Client) -> Task<Void, Never> {
        client.perform(
            .get(path),
            onSuccess: { response in self.status = response.status },
            onFailure: { failure in
                self.isEmpty = failure.statusCode == 404
                return self.isEmpty  // handled; anything else is for the default handler
            })
    }
}
