import Testing

@testable import BackstopCore

@Suite("Secrets by their shape")
struct SecretShapesTests {
    @Test(
        "are keys with a known beginning that are long enough and have a digit",
        arguments: [
            ("glpat-abcdefghi1", true), ("glpat-abcdefgh1", false), ("glpat-abcdefghij", false),
            ("sk-learn-and-all-other-packages", false), ("sk-learn-and-all-other-package1", true),
        ])
    func keys(word: String, isSecret: Bool) {
        #expect(Redaction.standard.text("Not \(word) here.") == "Not \(isSecret ? "<redacted>" : word) here.")
    }

    @Test(
        "are values with a digit, and long words",
        arguments: [
            ("price", false), ("T-1000", true), ("abcdefghijklmno", false), ("abcdefghijklmnop", true),
            ("Session 1: Intro", false), ("12 34 56", true), ("- -", false),
        ])
    func values(value: String, isSecret: Bool) {
        #expect(SecretShapes.looksLikeSecret(value.utf8) == isSecret)
    }
}
