#if Demo
    import Foundation

    /// Makes JSON lists of books of a given length.
    enum BookList {
        private static let titles = ["Dune", "Emma", "Ulysses", "Middlemarch", "Solaris", "Beloved", "Walden"]
        private static let authors = [
            "Frank Herbert", "Jane Austen", "James Joyce", "George Eliot", "Stanisław Lem", "Toni Morrison",
            "Henry David Thoreau",
        ]
        private static let tags = ["novel", "classic", "science fiction", "essay", "reprint"]

        /// A list as long as fits into the size, in bytes, and at least one book.
        static func document(ofSize size: Int) -> Data {
            var document = Data("[".utf8)
            var id = 1
            repeat {
                let book = Data(((id == 1 ? "" : ",") + self.book(id)).utf8)
                guard id == 1 || document.count + book.count < size else { break }
                document.append(book)
                id += 1
            } while document.count < size
            document.append(UInt8(ascii: "]"))
            return document
        }

        private static func book(_ id: Int) -> String {
            let title = "\(titles[id % titles.count]), volume \(id)"
            let tags = [Self.tags[id % Self.tags.count], Self.tags[(id + 2) % Self.tags.count]]
            return "{\"id\":\(id),\"title\":\(JSONText.string(title)),"
                + "\"author\":{\"name\":\(JSONText.string(authors[id % authors.count]))},"
                + "\"price\":\(id % 40 + 5).\(id % 2 == 0 ? 25 : 5),\"tags\":\(JSONText.strings(tags))}"
        }
    }
#endif
