import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Loading into a model", .limited)
@MainActor
struct LoadingTests {
    private final class Model {
        var hits = LoadingState<Int>.initial
        var others = LoadingState<Int>.initial
    }

    @Test("shows that it loads, then what came")
    func loaded() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) {
            #expect(model.hits == .loading(previous: nil))
            return 7
        }
        #expect(model.hits == .loaded(7))
    }

    @Test("keeps the value from before when it fails, and says why, whatever was thrown")
    func failed() async {
        struct Other: Error {}
        let model = Model()
        model.hits = .loaded(1)
        await LoadingState.load(\Model.hits, of: model) { throw Failure(TransportError(.offline)) }
        #expect(model.hits.failure?.code == "transport.offline" && model.hits.value == 1)
        await LoadingState.load(\Model.hits, of: model) { throw refusal(name: "Hits") }
        #expect(model.hits.failure?.name == "Hits")
        await LoadingState.load(\Model.hits, of: model) { throw Other() }
        #expect(model.hits.failure?.code == "other" && model.hits.value == 1)
    }

    @Test("takes the outcome of perform as it is")
    func outcome() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) { .value(3) }
        #expect(model.hits == .loaded(3))
        await LoadingState.load(\Model.hits, of: model) { .handled(Failure(StatusError(500)), by: "presenter") }
        #expect(model.hits.failure?.code == "status.500")
    }

    @Test("is as before when it is cancelled")
    func cancelled() async {
        let model = Model()
        model.hits = .loaded(1)
        await LoadingState.load(\Model.hits, of: model) { throw Failure(CancellationError()) }
        #expect(model.hits == .loaded(1))

        model.hits = .failed(Failure(StatusError(500)), previous: 1)
        await LoadingState.load(\Model.hits, of: model) { .cancelled }
        #expect(model.hits.failure?.code == "status.500" && model.hits.value == 1)

        model.hits = .loading(previous: nil)
        await LoadingState.load(\Model.hits, of: model) { .cancelled }
        #expect(model.hits == .initial)
    }

    @Test("keeps what the app changed in the meantime when it is cancelled")
    func changedMeanwhile() async {
        let model = Model()
        model.hits = .loaded(1)
        await LoadingState.load(\Model.hits, of: model) {
            model.hits = model.hits.map { $0 + 1 }
            return .cancelled
        }
        #expect(model.hits == .loaded(2))
        model.hits = .failed(Failure(StatusError(500)), previous: 1)
        await LoadingState.load(\Model.hits, of: model) {
            model.hits = model.hits.map { $0 + 1 }
            return .cancelled
        }
        #expect(model.hits == .failed(Failure(StatusError(500)), previous: 2))
    }

    @Test("brings nothing into a property that the app has reset, nor into that of the next account")
    func reset() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) {
            model.hits = .initial
            return .value(1)
        }
        #expect(model.hits == .initial)

        let (old, new) = (Gate(), Gate())
        let first = load(model, 1, after: old)
        await old.waitForArrivals(1)
        model.hits = .initial
        let second = load(model, nil, after: new)
        await new.waitForArrivals(1)
        new.open()
        await second.value
        old.open()
        await first.value
        #expect(model.hits == .initial)
    }

    @Test("says why where nobody cancelled it, as when a shared renewal was")
    func sharedCancellation() async {
        let model = Model()
        await LoadingState.load(\Model.hits, of: model) { throw CancellationError() }
        #expect(model.hits.failure?.code == "other")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await LoadingState.load(\Model.others, of: model) { throw CancellationError() }
        }
        await task.value
        #expect(model.others == .initial)
    }

    /// Loads a value once the gate is open; nil for a load that is cancelled then.
    private func load(_ model: Model, _ value: Int?, after gate: Gate) -> Task<Void, Never> {
        Task {
            await LoadingState.load(\Model.hits, of: model) {
                await gate.pass()
                return value.map { .value($0) } ?? .cancelled
            }
        }
    }

    @Test("gives way to the one before when it is cancelled, whichever of both ends first", arguments: [true, false])
    func cancelledLatest(endsFirst: Bool) async {
        let model = Model()
        let (slow, quick) = (Gate(), Gate())
        let first = load(model, 1, after: slow)
        await slow.waitForArrivals(1)
        let second = load(model, nil, after: quick)
        await quick.waitForArrivals(1)

        let order = endsFirst ? [(slow, first), (quick, second)] : [(quick, second), (slow, first)]
        order[0].0.open()
        await order[0].1.value
        #expect(model.hits == .loading(previous: nil))
        order[1].0.open()
        await order[1].1.value

        #expect(model.hits == .loaded(1))
    }

    @Test("of three loads the last counts that was not cancelled, in whatever order they end", arguments: 0..<6)
    func lastOfThree(order: Int) async {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let model = Model()
        let gates = (0..<3).map { _ in Gate() }
        var loads: [Task<Void, Never>] = []
        for (gate, value) in zip(gates, [1, 2, nil]) {
            loads.append(load(model, value, after: gate))
            await gate.waitForArrivals(1)
        }
        for index in orders[order] {
            gates[index].open()
            await loads[index].value
        }
        #expect(model.hits == .loaded(2))
    }

    @Test("keeps the failure from before when all of several are cancelled")
    func allCancelled() async {
        let model = Model()
        model.hits = .failed(Failure(StatusError(500)), previous: 5)
        let gates = [Gate(), Gate()]
        var loads: [Task<Void, Never>] = []
        for gate in gates {
            loads.append(load(model, nil, after: gate))
            await gate.waitForArrivals(1)
        }
        for (gate, load) in zip(gates, loads) {
            gate.open()
            await load.value
        }
        #expect(model.hits == .failed(Failure(StatusError(500)), previous: 5))
    }

    @Test("of two loads the later counts, whichever ends first; other properties load by themselves")
    func latest() async {
        let model = Model()
        let (slow, quick) = (Gate(), Gate())
        let first = Task {
            await LoadingState.load(\Model.hits, of: model) {
                await slow.pass()
                return 1
            }
        }
        await slow.waitForArrivals(1)
        let second = Task {
            await LoadingState.load(\Model.hits, of: model) {
                await quick.pass()
                return 2
            }
        }
        await quick.waitForArrivals(1)
        await LoadingState.load(\Model.others, of: model) { 5 }

        slow.open()
        await first.value
        #expect(model.hits.isLoading && model.others == .loaded(5))
        quick.open()
        await second.value
        #expect(model.hits == .loaded(2))
    }
}
