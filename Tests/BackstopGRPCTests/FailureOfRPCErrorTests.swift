#if GRPC
    @testable import BackstopGRPC
    import BackstopTestSupport
    import Foundation
    import GRPCCore
    import GRPCProtobuf
    import SwiftProtobuf
    import Testing

    @Suite("The failure of an RPCError", .limited)
    struct FailureOfRPCErrorTests {
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "has the code of the status",
            arguments: [
                (1, "cancelled", false), (2, "service.grpc.unknown", false), (3, "service.grpc.invalidArgument", false),
                (4, "timeout.deadline", false), (5, "service.grpc.notFound", false),
                (6, "service.grpc.alreadyExists", false), (7, "service.grpc.permissionDenied", false),
                (8, "service.grpc.resourceExhausted", false), (9, "service.grpc.failedPrecondition", false),
                (10, "service.grpc.aborted", false), (11, "service.grpc.outOfRange", false),
                (12, "service.grpc.unimplemented", false), (13, "service.grpc.internalError", false),
                (14, "service.grpc.unavailable", true), (15, "service.grpc.dataLoss", false),
                (16, "service.grpc.unauthenticated", false),
            ])
        func codes(number: Int, expected: String, isTransient: Bool) throws {
            let failure = Failure(RPCError(code: RPCError.Code.everyCode[number - 1], message: "token=s3cret-value"))
            #expect(failure.code == expected)
            #expect(failure.isTransient == isTransient)
            #expect(!failure.report.contains("s3cret-value"))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("shows people what a status of HTTP with the same meaning does")
        func message() {
            let failure = Failure(RPCError(code: .unauthenticated, message: "no token"))
            #expect(failure.message.title == Failure(StatusError(401)).message.title)
            #expect(failure.error(as: RPCError.self)?.code == .unauthenticated)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("of an exhausted resource is transient if the server says when to try again")
        func exhausted() {
            let metadata: Metadata = ["grpc-retry-pushback-ms": "100"]
            #expect(Failure(RPCError(code: .resourceExhausted, message: "", metadata: metadata)).isTransient)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "reads what the server says about trying again",
            arguments: [
                ("0", Pushback.retry(after: .zero)), ("1500", .retry(after: .milliseconds(1500))), ("-1", .stop),
                ("soon", .stop), ("", .stop), ("+5", .stop), ("-0", .stop), (" 5", .stop),
                ("99999999999999999999", .stop),
                ("9223372036854775807", .retry(after: .seconds(2_147_483_648))),
            ])
        func pushback(value: String, expected: Pushback) {
            let metadata: Metadata = ["grpc-retry-pushback-ms": .string(value)]
            #expect(RPCError(code: .unavailable, message: "", metadata: metadata).pushback == expected)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("is not to be repeated if one of several fields says so, and waits for the longest otherwise")
        func severalFields() {
            func pushback(_ values: String...) -> Pushback? {
                var metadata: Metadata = [:]
                for value in values { metadata.addString(value, forKey: "grpc-retry-pushback-ms") }
                return RPCError(code: .unavailable, message: "", metadata: metadata).pushback
            }
            #expect(pushback("5", "-1") == .stop)
            #expect(pushback("5", "70", "6") == .retry(after: .milliseconds(70)))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "has the code that gRPC has for it",
            arguments: [
                (TransportError(.offline), RPCError.Code.unavailable), (CancellationError(), .cancelled),
                (TimeoutError(.deadline), .deadlineExceeded), (RejectionError("breaker", "It is open."), .unavailable),
                (RPCError(code: .notFound, message: ""), .notFound), (RequestError(.invalid, "no"), .unknown),
            ] as [(any Error, RPCError.Code)])
        func ownFailures(error: any Error, code: RPCError.Code) {
            #expect(RPCError(Failure(error)).code == code)
        }

        /// Protocol Buffers leave a writer the order of fields, explicit zeros, and how long a number is.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "reads a RetryInfo however it is written",
            arguments: [
                ([0x08, 120], .seconds(120)), ([0x08, 120, 0x10, 0], .seconds(120)),
                ([0x10, 0, 0x08, 120], .seconds(120)), ([0x08, 1, 0x08, 120], .seconds(120)),
                ([0x08, 0xF8, 0x80, 0], .seconds(120)),
                ([0x48, 1, 0x08, 120], .seconds(120)), ([0x08, 1, 0x10, 0x80, 0x94, 0xEB, 0xDC, 0x03], .seconds(2)),
                ([0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], nil),
            ] as [([UInt8], Duration?)])
        func retryInfo(duration: [UInt8], expected: Duration?) throws {
            let any = Google_Protobuf_Any.with {
                $0.typeURL = "type.googleapis.com/google.rpc.RetryInfo"
                $0.value = Data([0x0A, UInt8(duration.count)] + duration)
            }
            let status = GoogleRPCStatus(code: .unavailable, message: "", details: [.any(any)])
            #expect(RPCError(status).pushback == expected.map { .retry(after: $0) })
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("reads google.rpc.RetryInfo")
        func ownRetryInfo() {
            let status = GoogleRPCStatus(
                code: .unavailable, message: "", details: [.retryInfo(delay: .milliseconds(250))])
            #expect(RPCError(status).pushback == .retry(after: .milliseconds(250)))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("ignores details that are too long, negative, or no google.rpc.Status")
        func details() throws {
            let long = GoogleRPCStatus(
                code: .unavailable, message: String(repeating: "x", count: RPCError.detailsLimit),
                details: [.retryInfo(delay: .seconds(1))])
            #expect(RPCError(long).pushback == nil)
            let negative = GoogleRPCStatus(code: .unavailable, message: "", details: [.retryInfo(delay: .seconds(-1))])
            #expect(RPCError(negative).pushback == nil)
            let garbage: Metadata = ["grpc-status-details-bin": .binary([0xFF, 0x01, 0x7F])]
            #expect(RPCError(code: .unavailable, message: "", metadata: garbage).pushback == nil)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("of the longest wait that RetryInfo can name is bounded")
        func longest() {
            let status = GoogleRPCStatus(
                code: .unavailable, message: "", details: [.retryInfo(delay: .seconds(Int64.max))])
            #expect(RPCError(status).pushback == .retry(after: .seconds(2_147_483_648)))
        }
    }
#endif
