#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// The page at `/` of `backstop serve`, which makes calls to the server in the server's process.
    struct Playground: Sendable {
        /// How many calls run at once.
        static let callLimit = 8
        /// How many bytes of a response are read.
        static let responseLimit = 8 << 20

        /// How many calls run, guarded by the lock.
        private let running = Lock(0)
        private let calls = PageCalls()
        /// When a call that still runs is ended.
        private let longest: Duration

        /// - Parameter longest: When a call that still runs is ended. Default: after two minutes.
        init(longest: Duration = .seconds(120)) {
            self.longest = longest
        }

        /// The routes of the page.
        var mounts: [FaultServer.Mount] {
            let files: [WebFile] = [
                WebFile(path: "/", bytes: PackageResources.playground_html, type: .page),
                WebFile(path: "/playground/icon.svg", bytes: PackageResources.icon_svg, type: .image),
                WebFile(path: "/playground/backstop.css", bytes: PackageResources.backstop_css, type: .style),
                WebFile(path: "/playground/playground.css", bytes: PackageResources.playground_css, type: .style),
                WebFile(path: "/playground/playground.js", bytes: PackageResources.playground_js, type: .script),
                WebFile(path: "/playground/settings.js", bytes: PackageResources.settings_js, type: .script),
                WebFile(path: "/playground/events.js", bytes: PackageResources.events_js, type: .script),
                WebFile(path: "/playground/waterfall.js", bytes: PackageResources.waterfall_js, type: .script),
                WebFile(path: "/playground/presentation.js", bytes: PackageResources.presentation_js, type: .script),
            ]
            return files.map(\.mount) + [
                .service("/playground/faults") { call throws(WebRefusal) in
                    _ = try WebQuery(call.request.target, names: [])
                    return .json(PlaygroundFaults.json)
                },
                .service("/playground/order") { call throws(WebRefusal) in
                    let query = try WebQuery(call.request.target, names: ["chain"])
                    return .json(PlaygroundChain.order(try PlaygroundChain.roles(query.text("chain"))))
                },
                .service("/playground/run") { call throws(WebRefusal) in
                    try await run(call)
                },
                .service("/playground/") { _ throws(WebRefusal) in
                    throw WebRefusal(status: 404, reason: "There is no such part of the playground")
                },
            ]
        }

        /// Makes a call: as it happens where events are asked for, otherwise the result when it is there.
        private func run(_ request: FaultServer.Mount.Call) async throws(WebRefusal) -> FaultServer.Mount.Response {
            let query = try WebQuery(
                request.request.target, names: PlaygroundCall.parameters, repeatable: ["handle"])
            let call = try PlaygroundCall(query)
            let turn = await calls.begin(of: call.page)
            let isFree = running.withLock { running in
                guard running < Self.callLimit else {
                    return false
                }
                running += 1
                return true
            }
            guard isFree else {
                calls.end(turn)
                throw WebRefusal(
                    status: 429, reason: "\(Self.callLimit) calls are running already: wait for one, or stop it")
            }
            let origins = [request.url, request.otherOrigin]
            let live = LiveTrace()
            guard request.request.values(of: "Accept").contains("text/event-stream") else {
                let result = await result(call, origins, live, StreamedText())
                end(turn)
                return .json(result.json)
            }
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let task = Task {
                let following = Task { await live.follow { piece.yield(WebEvent.data("trace", $0.json)) } }
                let streamed = StreamedText { text in
                    piece.yield(WebEvent.data("part", JSONWriter.object([("text", JSONWriter.quoted(text))])))
                }
                let result = await result(call, origins, live, streamed)
                following.cancel()
                await following.value
                piece.yield(WebEvent.data("result", result.json))
                end(turn)
                piece.finish()
            }
            calls.run(task, turn)
            piece.onTermination = { _ in task.cancel() }
            return .events(pieces)
        }

        /// Ends a call that has run.
        private func end(_ turn: PageCalls.Turn) {
            running.withLock { $0 -= 1 }
            calls.end(turn)
        }

        /// The result of a call, which is cancelled when it takes too long.
        private func result(
            _ call: PlaygroundCall, _ origins: [URL], _ live: LiveTrace, _ streamed: StreamedText
        ) async -> PlaygroundResult {
            let transport: any HTTP.Transport = URLSessionTransport(
                responseLimit: Self.responseLimit, connectionsPerHost: 2,
                redirectsTo: { PlaygroundTarget.allows($0, of: origins) })
            let task = Task {
                await call.run(at: origins[0], through: transport, watching: live, streamed: streamed)
            }
            let limit = Task {
                try await Task.sleep(for: longest)
                task.cancel()
            }
            defer {
                limit.cancel()
                live.end()
            }
            return await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// The call of each page: one that a page begins ends the one before, which nobody could stop any more.
    final class PageCalls: Sendable {
        /// Whose call, and which.
        struct Turn: Sendable {
            fileprivate let page: String?
            fileprivate let number: Int
        }

        private struct Latest {
            var number: Int
            var task: Task<Void, Never>?
            /// How many have begun and not ended: an earlier one has to find the later, even if that is over already.
            var open: Int
        }

        private struct State {
            var last = 0
            /// The latest of each page, with its task once it runs.
            var calls: [String: Latest] = [:]
        }

        /// Guarded by the lock.
        private let state = Lock(State())

        /// Begins a call, when the one before has ended.
        func begin(of page: String?) async -> Turn {
            let (turn, earlier) = state.withLock { state -> (Turn, Task<Void, Never>?) in
                state.last += 1
                let turn = Turn(page: page, number: state.last)
                guard let page else {
                    return (turn, nil)
                }
                let earlier = state.calls[page]
                state.calls[page] = Latest(number: turn.number, open: (earlier?.open ?? 0) + 1)
                return (turn, earlier?.task)
            }
            earlier?.cancel()
            await earlier?.value
            return turn
        }

        /// Notes what runs, or ends it where the page has begun another call meanwhile.
        func run(_ task: Task<Void, Never>, _ turn: Turn) {
            let isLatest = state.withLock { state in
                guard let page = turn.page, let latest = state.calls[page] else {
                    return true
                }
                if latest.number == turn.number {
                    state.calls[page]?.task = task
                }
                return latest.number == turn.number
            }
            if !isLatest {
                task.cancel()
            }
        }

        /// Ends a call. A task that ends before it is noted leaves nothing to end.
        func end(_ turn: Turn) {
            state.withLock { state in
                guard let page = turn.page, var latest = state.calls[page] else {
                    return
                }
                latest.open -= 1
                if latest.number == turn.number {
                    latest.task = nil
                }
                state.calls[page] = latest.open == 0 ? nil : latest
            }
        }
    }
#endif
