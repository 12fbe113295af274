import Backstop
import Foundation

/// A note to add. Its key never changes, so the server adds it once, however often it is sent.
nonisolated struct AddNote: JSONEndpoint, Codable, Hashable {
    /// The service confirms a note with its number; a sign-in page with status 200 does not.
    struct Content: Decodable, Sendable { var id: Int }

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
    /// Why the first of them could not be sent, such as a 401; nil when all were.
    private(set) var obstacle: Failure?

    init(file: URL, client: Client) throws {
        self.file = file
        self.client = client
        let exists = FileManager.default.fileExists(atPath: file.path)
        waiting = exists ? try JSONDecoder().decode([AddNote].self, from: Data(contentsOf: file)) : []
    }

    /// Stores a note, and sends it at once if possible.
    ///
    /// - Returns: What the service said to the notes that it refused.
    /// - Throws: When the note cannot be stored; then it is not sent either.
    @discardableResult
    func add(_ note: AddNote) async throws -> [Failure] {
        try save(waiting + [note])
        waiting.append(note)
        return await send()
    }

    /// Sends the waiting notes. Call it at launch, when the app becomes active, and when the network is back.
    ///
    /// - Returns: What the service said to the notes that it refused, which are no longer kept.
    @discardableResult
    func send() async -> [Failure] {
        guard !isSending else { return [] }
        isSending = true
        defer { isSending = false }
        obstacle = nil
        var refused: [Failure] = []
        while let note = waiting.first {
            do throws(Failure) {
                _ = try await client.send(note)
            } catch let error where !isRefusal(error) {
                obstacle = error
                break  // later, in the same order
            } catch {
                refused.append(error)
            }
            waiting.removeFirst()
            try? save(waiting)  // if that fails, the note is sent again after a launch, with the same key
        }
        return refused
    }

    /// Whether the service itself refuses this note for good; adapt the statuses to your service.
    ///
    /// Anything else may pass: mobile data that is off, a certificate that has expired, a session that has ended.
    private func isRefusal(_ failure: Failure) -> Bool {
        switch failure.reason {
        case .status, .service: [400, 413, 422].contains(failure.statusCode)
        default: false
        }
    }

    private func save(_ notes: [AddNote]) throws {
        try JSONEncoder().encode(notes).write(to: file, options: .atomic)
    }
}
