import Backstop

#if canImport(SwiftUI)
    import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    struct BooksView: View {
        @State var model: BooksModel

        var body: some View {
            Group {
                switch model.state {
                case .loading:
                    ProgressView()
                case .loaded(let books):
                    List(books) { Text($0.title) }
                case .failed(let message, let canRetry):
                    VStack(spacing: 8) {
                        Text(message.title).font(.headline)
                        Text(message.text)
                        if let suggestion = message.suggestion { Text(suggestion) }
                        if canRetry {
                            Button("Try Again") { Task { await model.load() } }
                        }
                    }
                }
            }
            .task { await model.load() }  // leaving the screen cancels the call, and no handler is asked
            .refreshable { await model.load() }
        }
    }
#endif
