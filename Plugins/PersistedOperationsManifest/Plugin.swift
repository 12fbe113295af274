import PackagePlugin

@main
struct PersistedOperationsManifest: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
