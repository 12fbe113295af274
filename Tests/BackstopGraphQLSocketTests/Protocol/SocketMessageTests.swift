import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket

@Suite("A message of a socket", .limited)
struct SocketMessageTests {
    @Test(
        "is read whatever the order and the space of its members",
        arguments: [
            (#"{"type":"connection_ack"}"#, SocketMessage.acknowledged),
            (#" { "payload" : null , "type" : "connection_ack" } "#, .acknowledged),
            (#"{"type":"ping"}"#, .ping(nil)),
            (#"{"type":"ping","payload":{"a": [1, 2]}}"#, .ping(Data(#"{"a": [1, 2]}"#.utf8))),
            (#"{"type":"pong"}"#, .pong),
            (
                #"{"id":"7","type":"next","payload":{"data":{"a":"\n"}}}"#,
                .next(id: "7", Data(#"{"data":{"a":"\n"}}"#.utf8))
            ),
            (
                #"{"payload":{"id":"8","type":"x"},"id":"7","type":"next"}"#,
                .next(id: "7", Data(#"{"id":"8","type":"x"}"#.utf8))
            ),
            (
                "{\"id\":\"7\",\"type\":\"next\",\"payload\":{\n\"data\":\r\n1}}",
                .next(id: "7", Data("{ \"data\":  1}".utf8))
            ),
            (
                #"{"id":"7","type":"error","payload":[{"message":"no"}]}"#,
                .errors(id: "7", Data(#"[{"message":"no"}]"#.utf8))
            ),
            (#"{"id":"7","type":"complete"}"#, .complete(id: "7")),
            (#"{"id":"7","id":"8","type":"complete","type":"next"}"#, .complete(id: "7")),
            (#"{"i\u0064":"\u0037","type":"comple\u0074e","more":{"type":"x"}}"#, .complete(id: "7")),
        ])
    func reads(text: String, message: SocketMessage) throws {
        #expect(try SocketMessage(Data(text.utf8)) == message)
    }

    @Test(
        "that is none is refused, with what is wrong",
        arguments: [
            ("", "not JSON"), ("{", "not JSON"), (#"{"type":"ping"} x"#, "not JSON"), ("\u{FEFF}", "not JSON"),
            (#"{"type":"ping","payload":{"a":01}}"#, "leading zero"),
            ("[]", "no object"), ("3", "no object"), ("{}", "no object with a type"), (#"{"type":3}"#, "no object"),
            (#"{"type":"subscribe","id":"1"}"#, #"unknown type "subscribe""#),
            (#"{"type":"ka"}"#, #"unknown type "ka""#),
            (#"{"type":"a\"\n. Call 555, token=abcdef"}"#, #"unknown type "a\" . Call 555, token="#),
            (#"{"type":"next","payload":{}}"#, "without an id"), (#"{"type":"next","id":"1"}"#, "without an id"),
            (#"{"type":"next","id":1,"payload":{}}"#, "without an id"),
            (#"{"type":"next","id":"1","payload":[]}"#, "an object"),
            (#"{"type":"error","id":"1","payload":{}}"#, "a list"), (#"{"type":"complete"}"#, "without an id"),
        ])
    func refuses(text: String, problem: String) {
        let fault = #expect(throws: SocketMessage.Fault.self) { try SocketMessage(Data(text.utf8)) }
        #expect(fault?.detail.contains(problem) == true, "\(fault?.detail ?? "")")
        #expect(fault?.detail.hasPrefix("The server sent") == true)
        #expect(fault?.detail.contains("abcdef") != true)
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }

    @Test(
        "leaves to its reader what is wrong with a result, wherever its id is, and takes one as deep as a response may be",
        arguments: [
            nested(64), nested(65), nested(5000), #"{"a":01}"#, #"{"a":"\ud83d"}"#, #"{"a":"}\"]","b":+}"#,
            #"{"a":"\\","b":[1,]}"#,
        ])
    func lenient(payload: String) throws {
        for text in [
            #"{"payload":\#(payload),"type":"next","id":"7"}"#, #"{"id":"7","type":"next","payload": \#(payload) }"#,
        ] {
            #expect(try SocketMessage(Data(text.utf8)) == .next(id: "7", Data(payload.utf8)))
        }
    }

    @Test("keeps the line breaks of a result that is no JSON, by which its reader says where it is wrong")
    func lineBreaks() throws {
        let message = try SocketMessage(Data("{\"id\":\"7\",\"type\":\"next\",\"payload\":{\"a\":\n\"b\nc\"}}".utf8))
        #expect(message == .next(id: "7", Data("{\"a\":\n\"b\nc\"}".utf8)))
    }

    @Test(
        "that is refused names its operation if it can be known",
        arguments: [
            (#"{"id":"7","type":"next"}"#, "7"), (#"{"payload":[],"id":"7","type":"next"}"#, "7"),
            (#"{"id":"7","type":"error","payload":{}}"#, "7"), (#"{"id":"7","type":"data"}"#, "7"),
            (#"{"id":"7"}"#, "7"), (#"{"id":7,"type":"next"}"#, nil), (#"{"id":"7","type":"next","#, nil),
            (#"{"id":"7","type":"next","payload":{"a":"}"#, nil), (#"{"id":"7","type":"next","payload":}}"#, nil),
        ] as [(String, String?)])
    func names(text: String, id: String?) {
        let fault = #expect(throws: SocketMessage.Fault.self) { try SocketMessage(Data(text.utf8)) }
        #expect(fault?.id == id)
    }

    @Test("is refused at each place where it could be cut")
    func cuts() {
        let text = #"{"id":"7","type":"next","payload":{"data":{"é":[1.5e3,true,null,"\u00e9"]}}}"#
        for count in 0..<text.utf8.count {
            #expect(throws: SocketMessage.Fault.self) { try SocketMessage(Data(text.utf8.prefix(count))) }
        }
    }

    @Test("is written as the protocol has it")
    func writes() {
        func text(_ message: ClientMessage) -> String { String(decoding: message.json, as: UTF8.self) }
        #expect(text(.initialize(nil)) == #"{"type":"connection_init"}"#)
        #expect(text(.initialize(Data(#"{"a":1}"#.utf8))) == #"{"type":"connection_init","payload":{"a":1}}"#)
        #expect(
            text(.subscribe(3, Data(#"{"query":"{a}"}"#.utf8)))
                == #"{"type":"subscribe","id":"3","payload":{"query":"{a}"}}"#)
        #expect(text(.complete(3)) == #"{"type":"complete","id":"3"}"#)
        #expect(text(.ping) == #"{"type":"ping"}"#)
        #expect(text(.pong(Data("7".utf8))) == #"{"type":"pong","payload":7}"#)
    }
}
