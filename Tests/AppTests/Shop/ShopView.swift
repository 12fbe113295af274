#if canImport(SwiftUI)
    import BackstopPresentation
    import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    struct ShopView: View {
        let shop: Shop
        @State var model: CatalogModel
        @State private var quantity = "1"

        var body: some View {
            VStack {
                TextField("Quantity", text: $quantity)
                    .inlineFailure(of: shop.presenter, field: "quantity")
                switch model.books {
                case .initial, .loading(previous: nil):
                    ProgressView()
                case .failed(let failure, previous: nil):
                    Text(failure.message.text)
                case .loading, .loaded, .failed:
                    List(model.books.value ?? []) { book in
                        Button(book.title) {
                            Task { await model.buy(book, quantity: Int(quantity) ?? 1) }
                        }
                    }
                }
            }
            .task { await model.load() }  // leaving the screen cancels the calls, and nothing is shown
            .refreshable { await model.load() }
            .presentsFailures(of: shop.presenter)
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    struct ShopApp: App {  // with @main in an app
        private let shop: Shop?

        init() {
            do {
                let shop = try Shop()
                try shop.registerDefaults()
                self.shop = shop
            } catch {
                assertionFailure("\(error)")  // a mistake in the app: it says which, and where
                shop = nil
            }
        }

        var body: some Scene {
            WindowGroup {
                if let shop {
                    ShopView(shop: shop, model: CatalogModel(client: shop.client))
                }
            }
        }
    }
#endif
