/// A value whose dumps show its ``description``, and not its properties, which may contain secrets.
public protocol DescribedInDumps: CustomStringConvertible, CustomReflectable {}

extension DescribedInDumps {
    /// The description.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}
