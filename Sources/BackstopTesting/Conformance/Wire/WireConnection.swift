internal import BackstopCore
internal import Foundation

/// A connection of a ``WireServer``, as its script sees it: what it reads and writes blocks the script's own thread.
///
/// Not Sendable: a connection belongs to the thread of its script.
package final class WireConnection {
    /// The client has ended the connection, or the server has stopped; it ends the script.
    struct Ended: Error {}

    /// The number of the connection, from 1.
    package let number: Int
    private let descriptor: Int32
    private let server: WireServer
    private var unread: [UInt8] = []
    private(set) var isResetting = false

    init(number: Int, descriptor: Int32, server: WireServer) {
        self.number = number
        self.descriptor = descriptor
        self.server = server
    }

    // MARK: Reading

    /// Reads the head of the next request, and records it.
    func readHead() throws -> WireRequest {
        let request = WireRequest(head: try read(before: "\r\n\r\n"), connection: number)
        server.record(request)
        return request
    }

    /// Reads the next request with its whole body, and records it.
    @discardableResult
    func readRequest() throws -> WireRequest {
        var request = try readHead()
        if request.isChunked {
            while true {
                let line = try readLine()
                guard let size = Int(line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces), radix: 16) else {
                    throw Ended()
                }
                guard size > 0 else {
                    break
                }
                request.body += try readBytes(size)
                _ = try readLine()
            }
            while try !readLine().isEmpty {}
        } else if let length = request.length {
            request.body = try readBytes(length)
        }
        request.isComplete = true
        server.complete(request)
        return request
    }

    /// Reads so many bytes of a body, whatever its framing.
    func readBytes(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            try readMore()
        }
        let bytes = Array(unread.prefix(count))
        unread.removeFirst(count)
        return bytes
    }

    /// Reads what comes next, at least one byte.
    package func readSome() throws -> [UInt8] {
        if unread.isEmpty {
            try readMore()
        }
        defer { unread = [] }
        return unread
    }

    private func readLine() throws -> String {
        String(decoding: try read(before: "\r\n"), as: UTF8.self)
    }

    /// Reads up to an end, and past it.
    private func read(before end: String) throws -> [UInt8] {
        let end = Array(end.utf8)
        var searched = 0
        while true {
            if let found = unread[searched...].firstRange(of: end) {
                let bytes = Array(unread[..<found.lowerBound])
                unread.removeSubrange(..<found.upperBound)
                return bytes
            }
            searched = max(0, unread.count - end.count + 1)
            try readMore()
        }
    }

    private func readMore() throws {
        let bytes = WireSocket.receive(from: descriptor)
        guard !bytes.isEmpty else {
            throw Ended()
        }
        unread += bytes
    }

    // MARK: Writing

    /// Sends bytes, all at once.
    package func send(_ bytes: some Sequence<UInt8>) throws {
        guard WireSocket.send(ArraySlice(bytes), on: descriptor) else {
            throw Ended()
        }
        server.addSent(bytes.underestimatedCount)
    }

    /// Sends the bytes of a text.
    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends the same bytes again and again. Default: 1 GiB in all.
    func flood(_ part: [UInt8] = [UInt8](repeating: 0x61, count: 65_536), times: Int = 16_384) throws {
        for _ in 0..<times {
            try send(part)
        }
    }

    /// Sends each byte in a packet of its own.
    func drip(_ bytes: some Sequence<UInt8>) throws {
        for byte in bytes {
            try send([byte])
            // Only a hint: nothing here depends on where the client's reads end.
            Thread.sleep(forTimeInterval: 0.000_05)
        }
    }

    // MARK: Time and ends

    /// Says to the test that the script has come to here.
    func mark(_ name: String) {
        server.mark(name)
    }

    /// Waits until the test says so.
    func wait(for name: String) throws {
        guard server.awaitMark(name) else {
            throw Ended()
        }
    }

    /// Sends nothing more until the client ends the connection; what it sends is dropped.
    func waitForEnd() {
        while !WireSocket.receive(from: descriptor).isEmpty {}
    }

    /// Sends the end (FIN), and drops what the client still sends.
    func endSending() {
        WireSocket.endSending(on: descriptor)
        waitForEnd()
    }

    /// Ends the script with a reset (RST).
    func reset() throws -> Never {
        isResetting = true
        throw Ended()
    }
}
