import Backstop
import Foundation

/// A note to add. Its key never changes, so the server adds it once, however often it is sent.
nonisolated struct AddNote: EmptyEndpoint, Codable, Hashable {
    var text: String
    var key = UUID().uuidString

    func makeRequest() throws -> HTTP.Request {
        try .json(.post, "notes", ["text": text], headers: [.idempotencyKey: key])
    }
}

/// Stores unsent notes in a file, and sends them in order when the service can be reached again.
actor Outbox {
    private let file: URL
    private let client: Client
    private var isSending = false
    /// The unsent notes, oldest first.
    private(set) var waiting: [AddNote]

    init(file: URL, client: Client) throws {
        self.file = file
        self.client = client
        let exists = FileManager.default.fileExists(atPath: file.path)
        waiting = exists ? try JSONDecoder().decode([AddNote].self, from: Data(contentsOf: file)) : []
    }

    /// Stores a note, and sends it at once if possible.
    /// - Returns: The notes that the service refused.
    @discardableResult
    func add(_ note: AddNote) async throws -> [Failure] {
        waiting.append(note)
        try save()
        return try await send()
    }

    /// Sends the waiting notes. Call it at launch, when the app becomes active, and when the network is back.
    /// - Returns: The notes that the service refused; trying again would not help.
    @discardableResult
    func send() async throws -> [Failure] {
        guard !isSending else { return [] }
        isSending = true
        defer { isSending = false }
        var refused: [Failure] = []
        while let note = waiting.first {
            do throws(Failure) {
                try await client.send(note)
            } catch let error where error.isTransient || error.isCancelled {
                break  // later, in the same order
            } catch {
                refused.append(error)
            }
            waiting.removeFirst()
            try save()
        }
        return refused
    }

    private func save() throws {
        try JSONEncoder().encode(waiting).write(to: file, options: .atomic)
    }
}
