#if Demo
    import BackstopTestSupport
    import Testing

    @testable import BackstopFaultServer

    @Suite("What a server remembers of GraphQL calls", .limited)
    struct GraphQLStoreTests {
        @Test("the hash is SHA-256 in lower-case hexadecimal digits")
        func sha256() {
            let hash = GraphQLStore.hash(of: "query TestQuery { test }")
            #expect(hash.count == 64)
            #expect(hash.hasPrefix("8ed9fcbb"))
            #expect(hash.hasSuffix("eb30"))
        }

        @Test("documents are forgotten together when there are too many, and only then")
        func documents() {
            let store = GraphQLStore()
            let text = String(repeating: "a", count: GraphQLStore.documentCapacity / 4)
            func keep(_ id: String, isRegistered: Bool = false) {
                store.keep(.init(id: id, text: text), in: "r", isRegistered: isRegistered)
            }
            func isKnown(_ id: String) -> Bool { store.document(id, in: "r", onlyRegistered: false) != nil }

            keep("1", isRegistered: true)
            for _ in 1...9 { keep("2") }
            for id in 3...9 {
                store.forgetLearned(in: "r")
                keep("\(id)")
            }
            #expect(["1", "2", "8", "9"].map(isKnown) == [true, false, false, true])
            #expect(store.document("9", in: "r", onlyRegistered: true) == nil)

            keep("10")
            #expect(["1", "9", "10"].map(isKnown) == [true, true, true])
            keep("11")
            #expect(["1", "9", "10", "11"].map(isKnown) == [false, false, false, true])
        }

        @Test("the latest 1,000 reviews are kept")
        func reviews() {
            let store = GraphQLStore()
            for number in 0..<1500 { store.add([StarWars.Record(type: "Review", values: ["stars": "\(number)"])]) }
            #expect(store.reviews.map { $0.values["stars"] } == (500..<1500).map { "\($0)" })
        }
    }
#endif
