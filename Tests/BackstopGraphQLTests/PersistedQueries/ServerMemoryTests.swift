import BackstopTestSupport
import Testing

@testable import BackstopGraphQL

@Suite("What is remembered of servers", .limited)
struct ServerMemoryTests {
    @Test("is bounded, however many servers there are")
    func bounded() {
        // given
        let memory = ServerMemory()
        // when
        for number in 0...1000 {
            memory.markUnsupported("server \(number)")
            memory.markSupported("server \(number)")
        }
        // then
        #expect(!memory.isUnsupported("server 0"))
        #expect(!memory.isSupported("server 0"))
        #expect(memory.isUnsupported("server 1000"))
        #expect(memory.isSupported("server 1000"))
    }
}
