import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("A partial file", .limited)
struct PartialFileTests {
    /// Starts a download that brings four bytes, does something to its partial file, and lets it end.
    ///
    /// - Returns: Its failure, and what is in its folder then.
    private static func interfering(
        _ answers: [Stub<HTTP.Request, HTTP.Response>]? = nil, options: DownloadOptions = .standard,
        _ interfere: (_ partial: URL) throws -> Void
    ) async throws -> (failure: Failure?, files: [String: String]) {
        try await DownloadTests.inFolder { folder in
            let clock = ManualClock()
            let slow = Stub<HTTP.Request, HTTP.Response>.stream(
                [.bytes("0123"), .wait(.seconds(5)), .bytes("456789abcdef")],
                headers: ["Content-Length": "16", "ETag": "\"v1\""])
            let client = try DownloadTests.client(
                ScriptedTransport(answers ?? [slow]), clock, retry: RetryPolicy(backoff: .none))
            let transfer = client.download("map", to: folder.appendingPathComponent("map"), options: options)
            await clock.waitForSleeper(remaining: .seconds(5))
            // What has come is written soon, by another thread.
            let partial = folder.appendingPathComponent(".map.partial")
            while (try? Data(contentsOf: partial).count) != 4 { await Task.yield() }
            try interfere(partial)
            let ending = Task { () async -> Failure? in
                do throws(Failure) {
                    _ = try await transfer.value
                    return nil
                } catch {
                    return error
                }
            }
            await clock.advance(by: .seconds(5))
            let failure = await ending.value
            var files: [String: String] = [:]
            for name in try DownloadTests.names(in: folder) {
                files[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
            return (failure, files)
        }
    }

    /// Puts a file in the place of another, under the lock that another process would have.
    private static func takeOver(_ partial: URL) throws -> Int32 {
        try FileManager.default.removeItem(at: partial)
        try Data("another's".utf8).write(to: partial)
        let descriptor = open(partial.path, O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    @Test("takes the place of a link that leads to a name too long, which is not its own")
    func longLink() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            try FileManager.default.createSymbolicLink(
                atPath: file.path, withDestinationPath: String(repeating: "n", count: 300))
            let client = try DownloadTests.client(ScriptedTransport(DownloadTests.whole(DownloadTests.text)))
            _ = try await client.download("map", to: file, options: DownloadOptions(existing: .replace)).value
            #expect(try String(contentsOf: file, encoding: .utf8) == DownloadTests.text)
        }
    }

    @Test("does not take the place of a pipe or a device, even if it may replace a file")
    func special() async throws {
        try await DownloadTests.inFolder { folder in
            let pipe = folder.appendingPathComponent("map")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let transport = ScriptedTransport(DownloadTests.whole(DownloadTests.text))
            let failure = await #expect(throws: Failure.self) {
                let options = try DownloadOptions(existing: .replace)
                _ = try await DownloadTests.client(transport).download("map", to: pipe, options: options).value
            }
            #expect(failure?.code == "storage.exists")
            #expect(failure?.explanation.contains("A device, a pipe or a socket") == true)
            #expect(transport.requests.isEmpty)
            let names = try DownloadTests.names(in: folder)
            #expect(names == ["map"])
        }
    }

    @Test("names itself or its note where a folder has that name, and not the target", arguments: ["", ".json"])
    func folder(suffix: String) async throws {
        try await DownloadTests.inFolder { folder in
            let name = ".map.partial\(suffix)"
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: false)
            let client = try DownloadTests.client(ScriptedTransport(DownloadTests.whole(DownloadTests.text)))
            let failure = await #expect(throws: Failure.self) {
                _ = try await client.download("map", to: folder.appendingPathComponent("map")).value
            }
            #expect(failure?.code == "storage.exists")
            #expect(failure?.explanation.contains("\(name): A folder with that name already exists.") == true)
            #expect(failure?.explanation.contains(folder.path) == false)
        }
    }

    @Test("whose target has a name that is too long is refused before anything is sent")
    func longName() async throws {
        try await DownloadTests.inFolder { folder in
            let transport = ScriptedTransport(DownloadTests.whole(DownloadTests.text))
            let file = folder.appendingPathComponent(String(repeating: "n", count: 256))
            let failure = await #expect(throws: Failure.self) {
                _ = try await DownloadTests.client(transport).download("map", to: file).value
            }
            #expect(failure?.code == "storage.unknown")
            #expect(failure?.explanation.contains("longer than the file system accepts") == true)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test(
        "is never taken for one that another process has put in its place",
        arguments: [DownloadOptions.Existing.refuse, .replace])
    func displacedAtEnd(_ existing: DownloadOptions.Existing) async throws {
        var other: Int32 = -1
        defer { close(other) }
        let (failure, files) = try await Self.interfering(options: DownloadOptions(existing: existing)) { partial in
            other = try Self.takeOver(partial)
        }
        #expect(failure?.code == "storage.inUse")
        #expect(files[".map.partial"] == "another's")
        #expect(files["map"] == nil)
    }

    @Test("that is another's is not deleted by a download that begins anew")
    func displacedAtStart() async throws {
        var other: Int32 = -1
        defer { close(other) }
        let answers = [
            Stub<HTTP.Request, HTTP.Response>.stream(
                [.bytes("0123"), .wait(.seconds(5)), .lost], headers: ["Content-Length": "16"]),
            DownloadTests.whole(DownloadTests.text).repeated(),
        ]
        let (failure, files) = try await Self.interfering(answers) { other = try Self.takeOver($0) }
        #expect(failure?.isCancelled != true)
        #expect(files[".map.partial"] == "another's")
        #expect(files["map"] == nil)
    }

    @Test("is the one that its path leads to, when another process has finished or deleted the one that was opened")
    func identity() throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("backstop-\(UUID().uuidString)").path
        let link = path + ".link"
        defer {
            unlink(path)
            unlink(link)
        }
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        let identity = FileIdentity(marking: descriptor)
        defer { close(descriptor) }
        #expect(identity.isOf(path))
        #expect(symlink(path, link) == 0)
        #expect(!identity.isOf(link))
        unlink(path)
        #expect(!identity.isOf(path))
        let other = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(other) }
        #expect(!identity.isOf(path))
        #expect(FileIdentity(marking: other).isOf(path))
        identity.unmark(descriptor)
    }

    @Test("that was deleted, cut or written to meanwhile is no file, and leaves nothing")
    func meddled() async throws {
        let meddlings: [@Sendable (URL) throws -> Void] = [
            { try FileManager.default.removeItem(at: $0) }, { #expect(truncate($0.path, 2) == 0) },
            {
                let handle = try FileHandle(forWritingTo: $0)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("junk".utf8))
            },
        ]
        for meddle in meddlings {
            let (failure, files) = try await Self.interfering { try meddle($0) }
            #expect(failure?.code == "storage.unknown")
            #expect(failure?.explanation.contains("while it was written") == true)
            #expect(files.isEmpty)
        }
    }

    @Test("can be gone on with, whatever permissions the file is to have, and has none wider until then")
    func permissions() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(DownloadTests.cut("0123"), DownloadTests.rest("456789abcdef", from: 4))
            let client = try DownloadTests.client(transport, retry: .never)
            func mode(_ url: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            }
            let options = try DownloadOptions(permissions: 0o444)
            await #expect(throws: Failure.self) {
                _ = try await client.download("map", to: file, options: options).value
            }
            #expect(try mode(folder.appendingPathComponent(".map.partial")) == 0o600)
            _ = try await client.download("map", to: file, options: options).value
            #expect(try mode(file) == 0o444)
        }
    }

    @Test("is not begun where a link to nothing has the name of the file")
    func danglingLink() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            try FileManager.default.createSymbolicLink(
                at: file, withDestinationURL: folder.appendingPathComponent("none"))
            let transport = ScriptedTransport(DownloadTests.whole(DownloadTests.text).repeated())
            let client = try DownloadTests.client(transport)
            let failure = await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(failure?.code == "storage.exists")
            #expect(failure?.stopReason == .notRetryable)
            #expect(transport.requests.isEmpty)
            _ = try await client.download("map", to: file, options: DownloadOptions(existing: .replace)).value
            #expect(try String(contentsOf: file, encoding: .utf8) == DownloadTests.text)
            #expect(try DownloadTests.names(in: folder) == ["map"])
        }
    }

    @Test("whose note is cut is begun anew")
    func cutNote() async throws {
        try await DownloadTests.inFolder { folder in
            let file = folder.appendingPathComponent("map")
            let transport = ScriptedTransport(DownloadTests.cut("0123"), DownloadTests.whole(DownloadTests.text))
            let client = try DownloadTests.client(transport, retry: .never)
            await #expect(throws: Failure.self) { _ = try await client.download("map", to: file).value }
            #expect(truncate(folder.appendingPathComponent(".map.partial.json").path, 40) == 0)
            _ = try await client.download("map", to: file).value
            #expect(transport.requests.last?.headers["Range"] == nil)
            #expect(try DownloadTests.names(in: folder) == ["map"])
        }
    }
}
