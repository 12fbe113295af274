package import Backstop

/// What a parser throws before its first element, when a body turns out to be no stream: the call goes on as if this
/// response had come in its place, as a whole. Whoever sends the request again may still get the stream.
package struct WholeAnswer: Error {
    /// The response, with the head that came and a body of its own.
    package let response: HTTP.Response
    /// What it says, for a call that nobody goes on with.
    package let error: any Error

    package init(_ response: HTTP.Response, saying error: any Error) {
        self.response = response
        self.error = error
    }
}
