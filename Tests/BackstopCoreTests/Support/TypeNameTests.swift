import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("The name of a type in a text", .limited)
struct TypeNameTests {
    struct Shelf {
        struct Content {}
        enum Page<Item> {}
    }
    private struct Hidden {
        struct Inner {}
    }

    private static let names: [(Any.Type, String)] = [
        (Int.self, "Int"), (Shelf.Content.self, "TypeNameTests.Shelf.Content"),
        ([Shelf.Content].self, "[TypeNameTests.Shelf.Content]"), (Int?.self, "Int?"), ([Int?]?.self, "[Int?]?"),
        ([String: [Int]].self, "[String: [Int]]"), (Shelf.Page<Int>.self, "TypeNameTests.Shelf.Page<Int>"),
        (Set<String>.self, "Set<String>"), (Result<Int, any Error>.self, "Result<Int, Error>"),
        ((Int, String).self, "(Int, String)"), (Hidden.Inner.self, "TypeNameTests.Hidden.Inner"),
        ((any Error)?.self, "Error?"), (TypeName.self, "TypeName"), (Any.self, "Any"), (Void.self, "()"),
        (((Int) -> String).self, "(Int) -> String"), (Int.Type.self, "Int.Type"),
        ((count: Int, name: String).self, "(count: Int, name: String)"), (Never.self, "Never"),
    ]

    @Test("has the types around it and no modules, and reads as it is written", arguments: names.indices)
    func name(index: Int) {
        let (type, name) = Self.names[index]
        #expect(TypeName.text(type) == name)
    }

    @Test("of a local type has no address in it")
    func local() {
        struct Local {}
        #expect(TypeName.text(Local.self) == "TypeNameTests.Local")
        #expect(TypeName.text([Local?].self) == "[TypeNameTests.Local?]")
    }

    @Test("is bounded, however long the type is")
    func bounded() {
        typealias A = [String: [String: [String: [String: [String: Int]]]]]
        typealias B = Result<Result<Result<A, any Error>, any Error>, any Error>
        let names = [TypeName.text((B, B, B, B).self), TypeName.text(Result<(B, B, B), any Error>.self)]
        for name in names {
            #expect(name.unicodeScalars.count <= TypeName.limit + 1)
            #expect(!name.contains("Swift."))
        }
    }
}

@Suite("A size in a text", .limited)
struct ByteCountTests {
    @Test(
        "is exact while it is small, and readable when it is not",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1024, "1024 bytes"), (10_239, "10239 bytes"), (10_240, "10 KiB"),
            (100_000, "97.7 KiB"), (1_048_575, "1 MiB"), (10_485_760, "10 MiB"), (100_000_000, "95.4 MiB"),
            (1_610_612_736, "1.5 GiB"), (1_099_511_627_776, "1 TiB"), (1 << 50, "1 PiB"), (1 << 60, "1 EiB"),
            (-1, "-1 bytes"), (-5, "-5 bytes"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }

    @Test("has words for the largest number")
    func largest() {
        #expect(ByteCount.text(Int64.max) == "8 EiB")
        #expect(ByteCount.text(UInt64.max) == "16 EiB")
    }
}
