import Backstop
import BackstopStreams

nonisolated struct ExportedRow: Decodable, Sendable, Hashable {
    var id: Int
}

/// Saves the rows of an export while they come, a thousand at a time, from the one after `last` on.
///
/// - Returns: The last row that was saved, and what ended the export before its end; nil if it is whole.
func importRows(
    from client: Client, after last: Int, save: ([ExportedRow]) async throws -> Void
) async throws -> (last: Int, failure: Failure?) {
    var last = last
    var rows: [ExportedRow] = []
    var failure: Failure?
    do {
        for try await row in try await client.stream("rows?after=\(last)", as: .jsonLines(of: ExportedRow.self)) {
            rows.append(row)
            guard rows.count == 1_000 else { continue }
            try await save(rows)
            last = row.id
            rows = []
        }
    } catch let error as Failure {
        failure = error
    }
    try await save(rows)
    return (rows.last?.id ?? last, failure)
}
