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
