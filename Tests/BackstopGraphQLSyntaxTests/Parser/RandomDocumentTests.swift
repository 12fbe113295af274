import BackstopGraphQLSyntax
import Testing

/// Every run has a seed of its own, which is printed; put it here to see a failure again.
private let seed: UInt64 = {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("Random GraphQL documents: seed \(seed)")
    return seed
}()

@Suite("Random documents")
struct RandomDocumentTests {
    @Test("blanks, commas and comments change nothing in what a document says")
    func ignored() throws {
        for number in 0..<100 {
            var random = RandomDocument(seed: seed &+ UInt64(number))
            let (first, second) = (random.text(), random.text())
            let expected = outline(of: try GraphQLDocument(parsing: first))
            let actual = outline(of: try GraphQLDocument(parsing: second))
            #expect(expected == actual, "seed \(seed), number \(number): \(first)")
        }
    }

    @Test("the text of an operation reads as the same operation with the fragments that it uses")
    func roundTrip() throws {
        var count = 0
        for number in 0..<100 {
            var random = RandomDocument(seed: seed &+ UInt64(number))
            let document = try GraphQLDocument(parsing: random.text())
            let index = FragmentIndex(document)
            for operation in document.operations {
                // Fragments may be missing or use themselves here, and such operations have no text.
                guard let text = try? index.source(of: operation) else { continue }
                let again = try GraphQLDocument(parsing: text)
                let expected = [outline(of: operation)] + (try index.fragments(usedBy: operation).map(outline))
                let actual = again.operations.map(outline) + again.fragments.map(outline)
                #expect(expected == actual, "seed \(seed), number \(number): \(text)")
                #expect(try again.source(of: try #require(again.operations.first)) == text, "seed \(seed)")
                count += 1
            }
        }
        #expect(count > 5, "seed \(seed)")
    }

    @Test("a document with bytes changed, taken away or put in is read or refused, at a place within it")
    func mutations() {
        var random = SeededRandom(seed: seed)
        let spices = Array("{}()[]!$:@=|&.\"\\#,\n\r\u{FEFF}éu-0eE_ \t\0".utf8) + [0x80, 0xFF, 0xF0]
        for number in 0..<800 {
            var document = RandomDocument(seed: seed &+ UInt64(number % 100))
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

    @Test("bytes at random are read or refused, at a place within them")
    func noise() {
        var random = SeededRandom(seed: seed)
        for number in 0..<800 {
            check((0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }, number)
        }
    }

    private func check(_ bytes: [UInt8], _ number: Int) {
        do throws(GraphQLSyntaxError) {
            let document = try GraphQLDocument(parsingUTF8: bytes)
            _ = document.issues(requiringNames: true)
            for operation in document.operations {
                #expect(operation.range.bytes.upperBound <= bytes.count, "seed \(seed), number \(number)")
            }
        } catch {
            let widths = lineWidths(bytes)
            #expect(widths.indices.contains(error.line - 1), "seed \(seed), number \(number): \(error)")
            guard widths.indices.contains(error.line - 1) else { return }
            let columns = 1...widths[error.line - 1] + 1
            #expect(columns.contains(error.column), "seed \(seed), number \(number): \(error)")
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
