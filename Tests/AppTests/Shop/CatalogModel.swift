import BackstopPresentation
import Observation

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor @Observable
final class CatalogModel {
    private(set) var books = LoadingState<[Book]>.initial
    private(set) var recommendations = LoadingState<[Book]>.initial
    private(set) var lastOrder: Order?
    private let client: Client

    init(client: Client) {
        self.client = client
    }

    /// Both at the same time; each may fail by itself.
    func load() async {
        async let books: Void = loadBooks()
        async let recommendations: Void = loadRecommendations()
        _ = await (books, recommendations)
    }

    private func loadBooks() async {
        await LoadingState.load(\CatalogModel.books, of: self) {
            await client.perform(.get("books", as: [Book].self))
        }
    }

    private func loadRecommendations() async {
        await LoadingState.load(\CatalogModel.recommendations, of: self) {
            await client.withOptions { $0.name = "recommendations" }
                .perform(.get("books/recommended", as: [Book].self))
        }
    }

    func buy(_ book: Book, quantity: Int) async {
        let outcome = await client.perform(PlaceOrder(book: book.id, quantity: quantity)) {
            On(status: 410) { @MainActor _ in self.forget(book) }  // what only this screen can do
        }
        lastOrder = outcome.value ?? lastOrder
    }

    private func forget(_ book: Book) {
        books = books.map { $0.filter { $0.id != book.id } }
    }
}
