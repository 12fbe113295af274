internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The length that a response announces, as its head has it.
///
/// On Linux the session takes `+2`, `0x2` or `2, 3` for a number, and so ends the body where the server may not.
package enum AnnouncedLength {
    /// Why the body's end cannot be known (RFC 9112, 6.3); nil when it can.
    static func problem(of head: HTTPURLResponse) -> String? {
        guard let text = head.value(forHTTPHeaderField: "Content-Length"),
            head.value(forHTTPHeaderField: "Transfer-Encoding") == nil
        else {
            return nil
        }
        return problem(of: text)
    }

    /// How many bytes are announced; nil for none, and where chunks say where the body ends (RFC 9112, 6.3).
    static func bytes(of head: HTTPURLResponse) -> Int64? {
        let length = head.expectedContentLength
        return length >= 0 && head.value(forHTTPHeaderField: "Transfer-Encoding") == nil ? length : nil
    }

    /// Why a value of `Content-Length`, or several joined with commas, is not a length; nil when it is.
    package static func problem(of text: String) -> String? {
        let lengths = FieldText.parts(of: text, at: ",").map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(part) : nil
        }
        let shown = Redaction.quoted(text, upTo: 60)
        guard let first = lengths[0] else {
            return "The response has \(shown) for a Content-Length, which is not a length"
        }
        return lengths.allSatisfy { $0 == first } ? nil : "The response has lengths that differ: \(shown)"
    }
}
