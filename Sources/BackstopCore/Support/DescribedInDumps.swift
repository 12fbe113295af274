/// A value whose dumps show its `description`, and not its properties, which may contain secrets.
public protocol DescribedInDumps: CustomStringConvertible, CustomReflectable {}

extension DescribedInDumps {
    /// The description.
    public var customMirror: Mirror { mirror(of: self) }
}

private func mirror(of value: any DescribedInDumps) -> Mirror {
    Mirror(value, children: ["description": value.description], displayStyle: .struct)
}
