/// An event that a server has sent (WHATWG HTML, 9.2).
public struct ServerEvent: Sendable, Hashable {
    /// Its type; `message` unless the server says otherwise.
    public var type: String
    /// Its data; several lines are joined with LF.
    public var data: String
    /// The last id that the server has sent until then; empty for none.
    public var id: String

    /// Makes an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
