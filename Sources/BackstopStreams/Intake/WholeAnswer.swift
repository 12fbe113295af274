package import Backstop

/// What a parser throws before its first element, when a body turns out to be no stream: the call goes on as if this
/// response had come in its place, as a whole. Whoever sends the request again may still get the stream.
package struct WholeAnswer: Error {
    /// The response, with the head that came and a body of its own.
    package let response: HTTP.Response

    package init(_ response: HTTP.Response) {
        self.response = response
    }
}
