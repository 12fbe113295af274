#if Demo
    import Foundation

    /// Makes JSON lists of books of a given length.
    enum SampleBooks {
        // Nothing in here needs escaping: quoting each string once more would take most of the time.
        private static let titles = ["Dune", "Emma", "Ulysses", "Middlemarch", "Solaris", "Beloved", "Walden"]
        private static let authors = [
            "Frank Herbert", "Jane Austen", "James Joyce", "George Eliot", "Stanisław Lem", "Toni Morrison",
            "Henry David Thoreau",
        ]
        private static let tags = [
            "[\"novel\",\"classic\"]", "[\"science fiction\"]", "[\"essay\",\"reprint\"]", "[\"classic\"]", "[]",
        ]

        /// A list as long as fits into the size, in bytes, and at least one book.
        static func document(ofSize size: Int) -> Data {
            var document: [UInt8] = [UInt8(ascii: "[")]
            document.reserveCapacity(size + 256)
            document += book(1).utf8
            for id in 2... {
                let book = book(id).utf8
                // The comma before it and the bracket at the end count as well.
                guard document.count + book.count + 2 <= size else { break }
                document.append(UInt8(ascii: ","))
                document += book
            }
            document.append(UInt8(ascii: "]"))
            return Data(document)
        }

        private static func book(_ id: Int) -> String {
            "{\"id\":\(id),\"title\":\"\(titles[id % titles.count]), volume \(id)\","
                + "\"author\":{\"name\":\"\(authors[id % authors.count])\"},"
                + "\"price\":\(id % 40 + 5).\(id % 2 == 0 ? "25" : "5"),\"tags\":\(tags[id % tags.count])}"
        }
    }
#endif
