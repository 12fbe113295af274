import BackstopGraphQLSyntax
import BackstopTestSupport
import Testing

@Suite("Random documents", .limited)
struct RandomDocumentTests {
    @Test("blanks, commas and comments change nothing in what a document says", arguments: Seed.ofRun)
    func ignored(seed: Seed) throws {
        for number in 0..<100 {
            var random = RandomDocument(seed: seed.number &+ UInt64(number))
            let (first, second) = (random.text(), random.text())
            let expected = outline(of: try GraphQLDocument(parsing: first))
            let actual = outline(of: try GraphQLDocument(parsing: second))
            #expect(expected == actual, "number \(number): \(first)")
        }
    }

    @Test("the text of an operation reads as the same operation with the fragments that it uses", arguments: Seed.ofRun)
    func roundTrip(seed: Seed) throws {
        var count = 0
        for number in 0..<100 {
            var random = RandomDocument(seed: seed.number &+ UInt64(number))
            let document = try GraphQLDocument(parsing: random.text())
            let index = FragmentIndex(document)
            for operation in document.operations {
                // Fragments may be missing or use themselves here, and such operations have no text.
                guard let text = try? index.source(of: operation) else { continue }
                let again = try GraphQLDocument(parsing: text)
                let expected = [outline(of: operation)] + (try index.fragments(usedBy: operation).map(outline))
                let actual = again.operations.map(outline) + again.fragments.map(outline)
                #expect(expected == actual, "number \(number): \(text)")
                #expect(try again.source(of: try #require(again.operations.first)) == text)
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test(
        "a document with bytes changed, taken away or put in is read or refused, at a place within it",
        arguments: Seed.ofRun)
    func mutations(seed: Seed) {
        var random = seed.numbers
        let spices = Array("{}()[]!$:@=|&.\"\\#,\n\r\u{FEFF}éu-0eE_ \t\0".utf8) + [0x80, 0xFF, 0xF0]
        for number in 0..<800 {
            var document = RandomDocument(seed: seed.number &+ UInt64(number % 100))
            var bytes = Array(document.text().utf8)
            for _ in 0...random.below(4) {
                let position = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes.remove(at: position)
                case 1: bytes.insert(spices[random.below(spices.count)], at: position)
                case 2: bytes[position] = spices[random.below(spices.count)]
                default: bytes.removeSubrange(position..<min(bytes.count, position + random.below(9)))
                }
                if bytes.isEmpty { bytes = [UInt8(ascii: "{")] }
            }
            check(bytes, number)
        }
    }

    @Test("bytes at random are read or refused, at a place within them", arguments: Seed.ofRun)
    func noise(seed: Seed) {
        var random = seed.numbers
        for number in 0..<800 {
            check((0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }, number)
        }
    }

    private func check(_ bytes: [UInt8], _ number: Int) {
        do throws(GraphQLSyntaxError) {
            let document = try GraphQLDocument(parsingUTF8: bytes)
            _ = document.issues(requiringNames: true)
            for operation in document.operations {
                #expect(operation.range.bytes.upperBound <= bytes.count, "number \(number)")
            }
        } catch {
            let widths = lineWidths(bytes)
            #expect(widths.indices.contains(error.line - 1), "number \(number): \(error)")
            guard widths.indices.contains(error.line - 1) else { return }
            let columns = 1...widths[error.line - 1] + 1
            #expect(columns.contains(error.column), "number \(number): \(error)")
            #expect(!error.message.isEmpty)
        }
    }

    /// How many characters each line has.
    private func lineWidths(_ bytes: [UInt8]) -> [Int] {
        var widths = [0]
        var previous: Unicode.Scalar = " "
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\r" || (scalar == "\n" && previous != "\r") {
                widths.append(0)
            } else if scalar != "\n" {
                widths[widths.count - 1] += 1
            }
            previous = scalar
        }
        return widths
    }
}
