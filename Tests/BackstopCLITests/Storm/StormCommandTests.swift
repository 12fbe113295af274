#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing
    #if canImport(FoundationXML)
        import FoundationXML
    #endif

    @Suite("backstop storm", .sockets)
    struct StormCommandTests {
        private static let names = [
            "none", "alamofire", "polly", "aws", "grpc", "backstop", "breaker", "adaptive",
        ]

        @Test("prints an array with an object for each policy, and all keys in each")
        func json() async throws {
            // when
            let command = try await Command.run(
                "storm", "--clients", "600", "--outage", "30", "--after", "30", "--json")
            // then
            #expect(command.status == 0)
            let json = try JSONSerialization.jsonObject(with: command.outputData)
            let objects = try #require(json as? [[String: Any]])
            #expect(objects.map { $0["policy"] as? String } == Self.names)
            let keys: Set = [
                "policy", "clients", "outageSeconds", "amplification", "peakLoad", "recoverySeconds", "succeeded",
                "wasted", "refusedLocally",
            ]
            for object in objects {
                #expect(Set(object.keys) == keys)
                #expect(object["clients"] as? Int == 600)
                #expect(object["outageSeconds"] as? Int == 30)
            }
            // Thirty seconds after, no server whose clients retry without a budget has recovered.
            #expect(objects[1]["recoverySeconds"] is NSNull)
        }

        @Test("prints a table, and writes a picture with every policy for light and dark backgrounds")
        func table() async throws {
            // given
            let picture = FileManager.default.temporaryDirectory.appendingPathComponent("storm-\(UUID()).svg")
            defer { try? FileManager.default.removeItem(at: picture) }
            // when
            let command = try await Command.run(
                "storm", "--clients", "600", "--outage", "10", "--after", "60", "--svg", picture.path)
            // then
            #expect(command.status == 0)
            for name in Self.names {
                #expect(command.output.contains("\n\(name) "))
            }
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.components(separatedBy: "<polyline").count == Self.names.count + 1)
            #expect(svg.contains("prefers-color-scheme: dark"))
            #expect(svg.firstMatch(of: /<text[^>]*>[^<]{111,}</) == nil, "a line is wider than the picture")
            #expect(XMLParser(data: Data(svg.utf8)).parse())
        }

        @Test("prints the same for the same seed")
        func seed() async throws {
            let arguments = ["storm", "--clients", "600", "--after", "60", "--json", "--policies", "none,backstop"]
            let first = try await Command.run(arguments + ["--seed", "5"])
            let second = try await Command.run(arguments + ["--seed", "5"])
            let other = try await Command.run(arguments + ["--seed", "6"])
            #expect(first.output == second.output)
            #expect(first.output != other.output)
        }

        @Test(
            "names what is wrong with an option",
            arguments: [
                (["--clients", "0"], "--clients must be from 1 to 1000000"),
                (["--clients", "2000000"], "--clients must be from 1 to 1000000"),
                (["--clients=-1"], "--clients must be from 1 to 1000000"),
                (["--clients", "1e300"], "1e300"),
                (["--clients", "nan"], "nan"),
                (["--load", "0"], "--load must be from 0.001 to 2"),
                (["--load", "nan"], "--load must be from 0.001 to 2"),
                (["--load", "1e-300"], "--load must be from 0.001 to 2"),
                (["--load", "1e300"], "--load must be from 0.001 to 2"),
                (["--every", "inf"], "--every must be from 0.001 to 86400"),
                (["--timeout", "nan"], "--timeout must be from 0.001 to 600"),
                (["--failure-rate", "nan"], "--failure-rate must be from 0 to 1"),
                (["--down", "0"], "--down must be more than 0, up to 1"),
                (["--down", "1.1"], "--down must be more than 0, up to 1"),
                (["--and-every", "0"], "--and-every must be from 0.001 to 86400"),
                (["--and-every", "86400"], "further clients"),
                (["--seed=-1"], "--seed"),
                (["--after", "99999999999999999999"], "--after"),
                (["--timeout", "0"], "--timeout must be from 0.001 to 600"),
                (["--failure-rate", "1.5"], "--failure-rate must be from 0 to 1"),
                (["--outage=-1"], "--outage must be from 0 to 86400"),
                (["--outage", "-1"], "--outage must be from 0 to 86400 seconds, but is -1"),
                (["--load", "-0.5"], "--load must be from 0.001 to 2, but is -0.5"),
                (["--seed", "-1"], "'-1' is invalid for '--seed"),
                (["--before", "0", "--outage", "0", "--after", "0"], "nothing to simulate"),
                (["--clients", "1000000", "--every", "0.1"], "at most 50000000"),
                (["--outage-kind", "freeze"], "hang"),
                (["--failure-kind", "slow"], "timeout"),
                (["--policies", "none,magic"], "There is no policy \"magic\""),
                (["--policies", ","], "--policies names none"),
            ])
        func wrong(options: [String], text: String) async throws {
            let command = try await Command.run(["storm"] + options)
            #expect(command.status == 2)
            #expect(command.errors.contains(text))
        }

        @Test("says when the picture cannot be written")
        func unwritten() async throws {
            let command = try await Command.run(
                "storm", "--clients", "60", "--policies", "none", "--svg", "/nowhere/storm.svg")
            #expect(command.status == 3)
            #expect(command.errors.contains("/nowhere/storm.svg"))
        }
    }
#endif
