public struct Redaction: Sendable { public static let standard = Redaction(); public static let off = Redaction(); public func body(_ t: String, contentType: String?) -> String { t }
 public func url(_ t: String) -> String { t }; public func header(_ n: String, _ v: String) -> String { v }; public func isSensitive(_ n: some StringProtocol) -> Bool { false } }
public enum RetryAfter { public static func wait(from value: some StringProtocol, now: Duration) -> Duration? { nil } }
public struct DecodingFailure: Error, Sendable {
       public enum Kind: String, Sendable { case empty, html, notJSON, truncated, tooDeep, missingKey, typeMismatch, missingValue , corrupted }
       public let kind: Kind
       public let path: String 
       public let expected: String
       public let found: String 
       public let excerpt: String? 
       public let byteOffset: Int? 
       public let detail: String   
       public init(_ error: any Error, decoding type: Any.Type, from body: some Collection<UInt8> & Sendable, contentType: String?)  { fatalError() }
       public var explanation: String  { "" }
   }
package enum JSONScan { package static func hasTopLevelKeys(_ keys: [String], in b: UnsafeRawBufferPointer) -> Bool { true } }
