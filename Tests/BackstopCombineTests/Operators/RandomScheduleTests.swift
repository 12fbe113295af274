#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("Any order of demand, values, ends and cancellation", .limited)
    struct RandomScheduleTests {
        private enum Step: CaseIterable {
            case request, send, send2, failure, finish, cancel
        }

        @Test(
            "gives a subscriber of handleFailures what it asked for, one end, and nothing after it has cancelled",
            arguments: Seed.ofRun)
        func operators(seed: Seed) async {
            var numbers = seed.numbers
            var seen: [String: Int] = [:]
            for round in 0..<1000 {
                // given
                let emitter = Emitter()
                let answer = Lock<Resolution<Int>>(.handled)
                let perValue = numbers.below(3)
                let recorder = Recorder<Int, Never>(demandPerValue: .max(perValue))
                emitter.handleFailures { _ in answer.withLock { $0 } }.subscribe(recorder)
                // What has to come.
                var expected: [String] = []
                var wanted = 0
                var retries = 0
                var waiting: String?
                for number in 0..<30 where emitter.isSubscribed || waiting != nil {
                    // when
                    switch Step.allCases.randomElement(using: &numbers) ?? .send {
                    case .request:
                        let count = 1 + numbers.below(3)
                        recorder.request(.max(count))
                        wanted += count
                        if let last = waiting {
                            expected += [last, "finished"]
                            waiting = nil
                            await recorder.waitForEvents(expected.count)
                        }
                    case .send, .send2:
                        guard wanted > 0, emitter.isSubscribed else {
                            continue
                        }
                        emitter.send(number)
                        expected.append("\(number)")
                        wanted += perValue - 1
                    case .failure where emitter.isSubscribed:
                        let choice = numbers.below(retries < 3 ? 5 : 2)
                        answer.withLock { $0 = choice == 0 ? .handled : choice == 1 ? .value(-1) : .retry }
                        let subscriptions = emitter.subscriptions
                        emitter.end(.failure(Failure(TransportError(.lost))))
                        switch choice {
                        case 0: expected.append("finished")
                        case 1 where wanted > 0: expected += ["-1", "finished"]
                        case 1: waiting = "-1"
                        default:
                            retries += 1
                            while emitter.subscriptions == subscriptions {
                                await Task.yield()
                            }
                        }
                        await recorder.waitForEvents(expected.count)
                        if waiting != nil {
                            await settle()
                        }
                    case .finish where emitter.isSubscribed:
                        emitter.end(.finished)
                        expected.append("finished")
                    case .cancel where numbers.below(4) == 0:
                        recorder.cancel()
                        #expect(!emitter.isSubscribed)
                        waiting = nil
                        seen["cancelled", default: 0] += 1
                    case .failure, .finish, .cancel: continue
                    }
                    // then
                    #expect(recorder.texts == expected, "round \(round)")
                    #expect(!emitter.isSubscribed || emitter.demand == .max(wanted), "round \(round)")
                }
                seen[expected.last ?? "nothing", default: 0] += 1
                seen["made anew", default: 0] += retries
            }
            for kind in ["cancelled", "finished", "made anew"] {
                #expect(seen[kind, default: 0] > 10, "\(seen)")
            }
        }

        @Test(
            "gives a subscriber of a call one value or failure at most, however it is cancelled, and sends once at most",
            arguments: Seed.ofRun)
        func calls(seed: Seed) async throws {
            var numbers = seed.numbers
            var seen: [[String]: Int] = [:]
            for round in 0..<200 {
                // given
                let fails = Bool.random(using: &numbers)
                let rig = Rig(fails ? .status(404) : .json(200, Book.json), .json(200, Book.json))
                let recorder = Recorder<Book, Failure>()
                try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
                let requests = numbers.below(3)
                let cancels = Bool.random(using: &numbers)
                let pauses = (0..<3).map { _ in numbers.below(8) }
                // when
                await withTaskGroup { group in
                    for pause in pauses.prefix(requests) {
                        group.addTask {
                            await rest(pause)
                            recorder.request(.max(1))
                        }
                    }
                    if cancels {
                        group.addTask {
                            await rest(pauses[2])
                            recorder.cancel()
                        }
                    }
                }
                if requests > 0, !cancels {
                    await recorder.waitForEnd()
                } else {
                    await settle()
                }
                // then
                let kinds = recorder.kinds
                seen[kinds, default: 0] += 1
                let whole = fails ? ["failed"] : ["value", "finished"]
                #expect(kinds == whole || cancels && whole.starts(with: kinds) || requests == 0 && kinds.isEmpty)
                #expect(rig.transport.requests.count <= min(1, requests), "round \(round)")
            }
            #expect(Set(seen.keys).isSuperset(of: [["value", "finished"], ["failed"], []]), "\(seen)")
        }
    }

    /// Lets others run a number of times.
    private func rest(_ turns: Int) async {
        for _ in 0..<turns {
            await Task.yield()
        }
    }

    extension Recorder where Input == Int {
        /// The values and the end, as texts.
        var texts: [String] {
            events.map { event in
                switch event {
                case .value(let value): "\(value)"
                case .finished: "finished"
                case .failed: "failed"
                }
            }
        }
    }
#endif
