/// A list or an input object whose closing bracket has not been reached.
struct OpenValue {
    /// Whether this is a list, and not an input object.
    let isList: Bool

    /// Where the opening bracket is.
    let start: GraphQLLocation

    private var values: [GraphQLDocument.Value] = []
    private var fields: [GraphQLDocument.Argument] = []
    private var field: (name: String, start: GraphQLLocation)?

    /// A list or an input object with nothing in it so far.
    init(isList: Bool, start: GraphQLLocation) {
        self.isList = isList
        self.start = start
    }

    /// The bracket that ends it.
    var closingBracket: String {
        isList ? "]" : "}"
    }

    /// The list or the object.
    var content: GraphQLDocument.Value.Content {
        isList ? .list(values) : .object(fields)
    }

    /// Begins a field of the object, whose value comes next.
    mutating func begin(field name: String, at start: GraphQLLocation) {
        field = (name, start)
    }

    /// Adds an element of the list, or the value of the field that was begun.
    mutating func add(_ value: GraphQLDocument.Value) {
        if isList {
            values.append(value)
        } else if let (name, start) = field {
            let range = GraphQLRange(start: start, end: value.range.end)
            fields.append(GraphQLDocument.Argument(name: name, value: value, range: range))
        }
    }
}
