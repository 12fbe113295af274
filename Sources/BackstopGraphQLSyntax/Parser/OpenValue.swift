/// A list or an input object whose closing bracket has not been reached.
struct OpenValue {
    /// Whether this is a list, and not an input object.
    let isList: Bool

    /// Where the opening bracket is.
    let start: GraphQLLocation

    /// The elements of the list, or the values of the object's fields so far.
    var values: [GraphQLDocument.Value] = []

    /// The names of the object's fields, of which the last may have no value yet, and where they are.
    var fields: [(name: String, start: GraphQLLocation)] = []

    /// The list or the object.
    var content: GraphQLDocument.Value.Content {
        let arguments = zip(fields, values).map { field, value in
            let range = GraphQLRange(start: field.start, end: value.range.end)
            return GraphQLDocument.Argument(name: field.name, value: value, range: range)
        }
        return isList ? .list(values) : .object(arguments)
    }
}
