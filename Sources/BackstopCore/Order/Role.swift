/// The role of an interceptor in a chain, used by order rules.
///
/// A role and its rules are declared next to the interceptor that has it. The set is open: an app's own interceptors
/// have the role `.custom("name")`, which rules can use.
///
/// ```swift
/// extension Role {
///     nonisolated static let tenant = Role.custom("tenant")
/// }
/// ```
public struct Role: Sendable, Hashable {
    /// The name for machines and people; built-in ones are in lower camel case.
    public let name: String
    /// Whether this is an app's role.
    public let isCustom: Bool
    /// The name as used in sentences: `StatusValidation`, `Retry`.
    package let title: String
    /// A closure, because rules refer to roles, including this one.
    private let rules: @Sendable () -> [OrderRule]

    /// The rules that apply to every interceptor with this role.
    public var orderRules: [OrderRule] {
        rules()
    }

    /// A role of your own.
    public static func custom(_ name: String) -> Role {
        Role(name: name, isCustom: true, title: name) { [] }
    }

    /// Whether both have the same name, and both are built-in or both an app's.
    public static func == (left: Role, right: Role) -> Bool {
        left.name == right.name && left.isCustom == right.isCustom
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(isCustom)
    }
}

extension Role: CustomStringConvertible {
    /// Makes a built-in role.
    ///
    /// - Parameters:
    ///   - title: The name as used in sentences; nil for the name with a capital letter.
    ///   - rules: The rules whose reason is about this role. Default: none.
    package init(
        builtIn name: String, title: String? = nil, rules: @escaping @Sendable () -> [OrderRule] = { [] }
    ) {
        let title = title ?? name.prefix(1).uppercased() + name.dropFirst()
        self.init(name: name, isCustom: false, title: title, rules: rules)
    }

    /// The name; an app's own role is written `custom(name)`.
    public var description: String {
        isCustom ? "custom(\(name))" : name
    }
}
