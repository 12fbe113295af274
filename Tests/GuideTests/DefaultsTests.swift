import Backstop
import BackstopGraphQL
import BackstopTestSupport
import Foundation
import Testing

@Suite("The defaults that the guide gives reasons for", .limited)
struct DefaultsTests {
    /// A row of the table in `Docs/Interceptors.md`, and whether the code agrees.
    private static let rows: [(row: String, holds: @Sendable () throws -> Bool)] = [
        ("handlers' `.retry`: 3 times", { FailureHandling().maximumHandlerRetries == 3 }),
        ("JSON: 64 levels", { DecodingFailure.depthLimit == 64 }),
        ("`maximumAge` of `ResponseCache`: a day", { ResponseCache().maximumAge == .seconds(86_400) }),
        ("`storesPartialData`: false", { !ResponseCache().storesPartialData }),
    ]

    @Test("each is what the code has", arguments: rows.indices) func row(index: Int) throws {
        let (row, holds) = Self.rows[index]

        #expect(try Guide("Docs/Interceptors.md").text.contains("| \(row) |"))
        #expect(try holds(), "\(row)")
    }
}
