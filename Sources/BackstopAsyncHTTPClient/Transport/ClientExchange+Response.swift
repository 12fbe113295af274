#if AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP1

    /// Converts what the library received.
    extension ClientExchange {
        /// The encoding of the content, for a text, if the library does not decode it; nil otherwise.
        static func unknownEncoding(of head: HTTPResponseHead) -> String? {
            guard let name = encoding(of: head), name != "gzip", name != "deflate" else {
                return nil
            }
            return Redaction.quoted(name, upTo: 40)
        }

        /// The transfer encoding, for a text, if it is more than chunks.
        static func transferEncoding(of head: HTTPResponseHead) -> String? {
            let names = head.headers[canonicalForm: "Transfer-Encoding"].filter { !$0.isEmpty }
            let isPlain = names.allSatisfy { ["chunked", "identity"].contains($0.lowercased()) }
            return isPlain ? nil : Redaction.quoted(names.joined(separator: ", "), upTo: 40)
        }

        /// The encoding of the content in lower case; nil for none.
        static func encoding(of head: HTTPResponseHead) -> String? {
            let values = head.headers[canonicalForm: "Content-Encoding"].filter { !$0.isEmpty }
            guard !values.isEmpty else {
                return nil
            }
            let name = values.joined(separator: ", ").lowercased()
            return name == "identity" ? nil : name
        }

        static func name(of version: HTTPVersion) -> String {
            switch version {
            case .http1_1: "1.1"
            case .http2: "2"
            default: "\(version.major).\(version.minor)"
            }
        }

        /// The name of the protocol as in TLS (RFC 7301, 6).
        static func protocolName(of version: HTTPVersion) -> String {
            version == .http2 ? "h2" : "http/" + name(of: version)
        }

        /// The bytes of a part, for a stream: without a copy if they are most of the memory that they would keep.
        static func bytes(of buffer: ByteBuffer) -> Data {
            let count = buffer.readableBytes
            guard count >= 4096, count >= buffer.storageCapacity / 4 else {
                return Data(buffer.readableBytesView)
            }
            return buffer.withUnsafeReadableBytesWithStorageManagement { bytes, storage in
                guard let start = bytes.baseAddress else {
                    return Data()
                }
                // `Data` does not write here: it copies what is changed.
                _ = storage.retain()
                return Data(
                    bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: count,
                    deallocator: .custom { _, _ in storage.release() })
            }
        }

        /// The response as Backstop has it.
        static func response(
            _ head: HTTPResponseHead, _ content: Data, trailers: [(name: String, value: String)], url: URL
        ) -> HTTP.Response {
            var headers = HTTP.Headers()
            for (name, value) in head.headers {
                headers.addReceived(value, for: name)
            }
            var response = HTTP.Response(
                status: Int(head.status.code), headers: headers, body: content, url: url)
            response.httpVersion = name(of: head.version)
            if !trailers.isEmpty {
                for (name, value) in trailers {
                    response.trailers.addReceived(value, for: name)
                }
            }
            return response
        }
    }
#endif
