extension JSONScan {
    /// The first problem that makes bytes invalid JSON.
    package struct Problem: Sendable, Equatable {
        /// The byte at which it was found, from 0; the number of bytes when the text ends too early.
        package let offset: Int
        /// The line, from 1.
        package let line: Int
        /// The column, from 1, in Unicode scalars.
        package let column: Int
        /// What is wrong, without the place: `unexpected "}" where a value is expected`.
        package let message: String
        /// Whether the text is valid as far as it goes, but ends in the middle of a value.
        package let isTruncated: Bool
        /// Whether the text is nested deeper than ``JSONScan/depthLimit``.
        package let isTooDeep: Bool
    }

    /// Finds the first syntax error.
    ///
    /// Use it to explain why a decoder refused a body. It is as strict as RFC 8259, and also refuses what `JSONDecoder`
    /// does: half a surrogate pair, which RFC 8259, 8.2 calls unpredictable, bytes that are not valid UTF-8, and
    /// nesting that is too deep. (It is stricter in one point: Foundation accepts a comma before `}`.)
    ///
    /// ```
    /// let body = Array("[1,]".utf8)
    /// let problem = body.withUnsafeBytes { JSONScan.firstProblem(in: $0) }
    /// problem?.message  // unexpected "]" where a value is expected
    /// ```
    ///
    /// - Returns: Nil when the bytes are one JSON value.
    package static func firstProblem(in bytes: UnsafeRawBufferPointer) -> Problem? {
        var reader = JSONReader(bytes)
        do throws(JSONReader.Fault) {
            while try reader.next() != .end {}
            return nil
        } catch {
            let offset = reader.position
            let before = bytes[..<min(offset, bytes.count)]
            let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            return Problem(
                offset: offset, line: before.count { $0 == 0x0A } + 1,
                column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1, message: error.message,
                isTruncated: error.isTruncated, isTooDeep: error.isTooDeep)
        }
    }
}
