import BackstopTestSupport
import Testing

/// Their behaviour is tested in `Tests/KeptClientTests`, which is of another package for the compiler.
@Suite("The recipes that keep a client", .limited)
struct KeptClientTests {
    @Test(
        "stand in the guide word for word",
        arguments: [
            ("KeepURLSession", ""), ("KeepAlamofire", "Alamofire"), ("KeepMoya", "Moya"), ("KeepApollo", "Apollo"),
        ])
    func shown(name: String, library: String) throws {
        func body(_ text: String) -> String {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.filter {
                !$0.hasSuffix("import \(library)") && !$0.hasSuffix("import BackstopLibraryStandIns")
            }
            .joined(separator: "\n")
        }
        let file = try Guide("Tests/KeptClientTests/Clients/\(name).swift").text
        let blocks = try Guide("Docs/GettingStarted.md").blocks.filter { $0.comment == "recipe: \(name).swift" }
        #expect(blocks.map { body($0.text) } == [body(file)])
        #expect(library.isEmpty || blocks.first?.text.contains("import \(library)\n") == true)
    }
}
