import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The list of a chain's interceptors", .limited)
struct ChainBuilderTests {
    private func names(@ChainBuilder<Ask, Answer> _ interceptors: () throws -> [any Interceptor<Ask, Answer>]) throws
        -> String
    {
        try interceptors().map { ($0 as? Mark)?.name ?? $0.role.name }.joined(separator: " ")
    }

    @Test("keeps the order in which it is written")
    func order() throws {
        let found = try names {
            Mark("a")
            Mark("b")
            Mark("c")
        }
        #expect(found == "a b c")
    }

    @Test("may be empty")
    func empty() throws {
        #expect(try names {}.isEmpty)
    }

    @Test("may have conditions", arguments: [(true, "a yes b one"), (false, "a b other")])
    func conditions(condition: Bool, expected: String) throws {
        let found = try names {
            Mark("a")
            if condition {
                Mark("yes")
            }
            Mark("b")
            if condition {
                Mark("one")
            } else {
                Mark("other")
            }
        }
        #expect(found == expected)
    }

    @Test("may have a switch", arguments: [(0, "zero"), (1, "one"), (2, "many more")])
    func switches(count: Int, expected: String) throws {
        let found = try names {
            switch count {
            case 0: Mark("zero")
            case 1: Mark("one")
            default:
                Mark("many")
                Mark("more")
            }
        }
        #expect(found == expected)
    }

    @Test("may have loops, arrays and interceptors of unknown type")
    func loops() throws {
        // given
        let array: [any Interceptor<Ask, Answer>] = [Mark("d"), Stand(.cache)]
        let unknown: any Interceptor<Ask, Answer> = Mark("e")
        // when
        let found = try names {
            for name in ["a", "b", "c"] {
                Mark(name)
            }
            array
            unknown
            if #available(macOS 13, *) {
                Mark("f")
            }
        }
        // then
        #expect(found == "a b c d cache e f")
    }

    @Test("passes on what an interceptor's initialiser throws")
    func throwing() throws {
        #expect(throws: ConfigurationError.self) {
            try AskChain(transport: Echo()) {
                Retry(attempts: 0)
            }
        }
        #expect(try AskChain(transport: Echo()) { Retry(attempts: 2) }.roles == [.retry])
    }
}
