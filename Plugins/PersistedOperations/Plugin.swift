import PackagePlugin

@main
struct PersistedOperations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        []
    }
}
