import Foundation

/// Settings of a target, from the file `persisted-operations-config.json` among its sources.
struct Configuration: Sendable, Hashable {
    /// The access level of the generated constants; nil when the file does not say.
    let access: SwiftSource.Access?

    /// Why a file is no configuration: a line as compilers write it.
    struct Mistake: Error, Sendable, Hashable {
        /// The line.
        let message: String
    }

    /// Reads a file such as `{"moduleAccess": "public"}`.
    init(path: String) throws(Mistake) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Mistake(message: "\(path):1:1: error: the file cannot be read: \(error.localizedDescription)")
        }
        try self.init(json: data, path: path)
    }

    /// Reads the contents of a file, whose path is for messages.
    init(json: Data, path: String) throws(Mistake) {
        guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
            throw Mistake(message: "\(path):1:1: error: expected a JSON object such as {\"moduleAccess\": \"public\"}")
        }
        for name in object.keys.sorted() where name != "moduleAccess" {
            throw Mistake(message: "\(path):1:1: error: unknown setting \"\(name)\"; there is \"moduleAccess\"")
        }
        guard let value = object["moduleAccess"] else {
            access = nil
            return
        }
        do throws(Arguments.Mistake) {
            access = try Arguments.access(value as? String ?? "\(value)")
        } catch {
            throw Mistake(message: "\(path):1:1: error: \(error.message)")
        }
    }
}
