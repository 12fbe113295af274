/// One step into a JSON value: a member of an object or an element of an array.
package enum JSONPathElement: Sendable, Equatable {
    /// The member with this name.
    case key(String)
    /// The element at this place, from 0.
    case index(Int)
}
