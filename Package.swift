// swift-tools-version: 6.2
import PackageDescription

/// The language settings that every target shares.
let coreSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What all targets but the core have beyond that.
///
/// The core does without it, because a class of the main actor could not conform to a protocol whose module has it: the
/// compiler takes an async requirement from there to be `nonisolated`, and the class's method to be so as well. The
/// core writes `nonisolated(nonsending)` where it is meant.
let settings = coreSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// What a new Xcode project has.
let appSettings: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

let flyingSocks: Target.Dependency = .product(
    name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Demo"]))
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Demo"]))
let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux], traits: ["Crypto"]))
// Where there is Combine, it is the system's.
let openCombine: Target.Dependency = .product(
    name: "OpenCombine", package: "OpenCombine",
    condition: .when(platforms: [.linux, .android, .windows, .wasi], traits: ["OpenCombine"]))

/// Products of packages that only a trait brings.
func brought(by trait: String) -> (_ name: String, _ package: String) -> Target.Dependency {
    { .product(name: $0, package: $1, condition: .when(traits: [trait])) }
}
let asyncHTTPClient = brought(by: "AsyncHTTPClient")
let observability = brought(by: "Observability")
let hummingbird = brought(by: "Hummingbird")
let grpc = brought(by: "GRPC")

let package = Package(
    name: "Backstop",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "BackstopCore", targets: ["BackstopCore"]),
        .library(name: "Backstop", targets: ["Backstop"]),
        .library(name: "BackstopResilience", targets: ["BackstopResilience"]),
        .library(name: "BackstopStreams", targets: ["BackstopStreams"]),
        .library(name: "BackstopTransfers", targets: ["BackstopTransfers"]),
        .library(name: "BackstopAuthentication", targets: ["BackstopAuthentication"]),
        .library(name: "BackstopGraphQL", targets: ["BackstopGraphQL"]),
        .library(name: "BackstopSubscriptions", targets: ["BackstopSubscriptions"]),
        .library(name: "BackstopGraphQLSocket", targets: ["BackstopGraphQLSocket"]),
        .library(name: "BackstopCombine", targets: ["BackstopCombine"]),
        .library(name: "BackstopPresentation", targets: ["BackstopPresentation"]),
        .library(name: "BackstopAsyncHTTPClient", targets: ["BackstopAsyncHTTPClient"]),
        .library(name: "BackstopObservability", targets: ["BackstopObservability"]),
        .library(name: "BackstopHummingbird", targets: ["BackstopHummingbird"]),
        .library(name: "BackstopGRPC", targets: ["BackstopGRPC"]),
        .library(name: "BackstopTesting", targets: ["BackstopTesting"]),
        .executable(name: "backstop", targets: ["BackstopCLI"]),
        .plugin(name: "PersistedOperations", targets: ["PersistedOperations"]),
        .plugin(name: "PersistedOperationsManifest", targets: ["PersistedOperationsManifest"]),
    ],
    traits: [
        .default(enabledTraits: []),
        .trait(
            name: "Crypto",
            description: "SHA-256 from swift-crypto in the place of Backstop's own, where CryptoKit does not exist."),
        .trait(
            name: "OpenCombine",
            description: "Publishers by BackstopCombine with OpenCombine, where Combine does not exist."),
        .trait(
            name: "AsyncHTTPClient",
            description: "A transport for servers by BackstopAsyncHTTPClient, with async-http-client on SwiftNIO; and "
                + "WebSockets by BackstopGraphQLSocket."),
        .trait(
            name: "Observability",
            description: "Logs, metrics and traces by BackstopObservability, with swift-log, swift-metrics, tracing."),
        .trait(
            name: "Hummingbird",
            description: "For Hummingbird 2, by BackstopHummingbird: failures become answers, and limits go on."),
        .trait(
            name: "GRPC", description: "A transport for gRPC Swift 2 by BackstopGRPC: retry, deadlines, failures."),
        .trait(
            name: "Demo",
            description: "The command `backstop`, its embedded fault server, and the tests that need a server.",
            // For the sign-up form of `backstop serve`.
            enabledTraits: ["OpenCombine"]),
        .trait(
            name: "Benchmarks", description: "The measuring program `backstop-benchmarks`.", enabledTraits: ["Demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
        .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.1"),
    ],
    targets: [
        .target(name: "BackstopCore", swiftSettings: coreSettings),
        .target(name: "Backstop", dependencies: ["BackstopCore"], swiftSettings: settings),
        .target(name: "BackstopResilience", dependencies: ["Backstop"], swiftSettings: coreSettings),
        .target(name: "BackstopStreams", dependencies: ["Backstop"], swiftSettings: settings),
        .target(
            name: "BackstopTransfers", dependencies: ["BackstopStreams", "BackstopHash", crypto],
            swiftSettings: settings),
        .target(name: "BackstopAuthentication", dependencies: ["Backstop"], swiftSettings: coreSettings),
        .target(name: "BackstopGraphQL", dependencies: ["Backstop", "BackstopHash", crypto], swiftSettings: settings),
        .target(
            name: "BackstopSubscriptions", dependencies: ["BackstopGraphQL", "BackstopTransfers"],
            swiftSettings: settings),
        .target(
            name: "BackstopGraphQLSocket",
            dependencies: [
                "BackstopSubscriptions", asyncHTTPClient("NIOCore", "swift-nio"),
                asyncHTTPClient("NIOPosix", "swift-nio"), asyncHTTPClient("NIOHTTP1", "swift-nio"),
                asyncHTTPClient("NIOWebSocket", "swift-nio"), asyncHTTPClient("NIOSSL", "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .target(
            name: "BackstopCombine", dependencies: ["Backstop", "BackstopGraphQL", openCombine],
            swiftSettings: settings),
        .target(name: "BackstopPresentation", dependencies: ["Backstop"], swiftSettings: settings),
        .target(
            name: "BackstopAsyncHTTPClient",
            dependencies: [
                "Backstop",
                asyncHTTPClient("AsyncHTTPClient", "async-http-client"), asyncHTTPClient("NIOCore", "swift-nio"),
                asyncHTTPClient("NIOPosix", "swift-nio"), asyncHTTPClient("NIOHTTP1", "swift-nio"),
                asyncHTTPClient("NIOSSL", "swift-nio-ssl"), asyncHTTPClient("NIOHTTP2", "swift-nio-http2"),
                asyncHTTPClient("NIOHPACK", "swift-nio-http2"),
                asyncHTTPClient("NIOHTTPCompression", "swift-nio-extras"),
                asyncHTTPClient("HTTPTypes", "swift-http-types"),
            ],
            swiftSettings: settings),
        .target(
            name: "BackstopObservability",
            dependencies: [
                "Backstop",
                observability("Logging", "swift-log"), observability("Metrics", "swift-metrics"),
                observability("Tracing", "swift-distributed-tracing"),
            ],
            swiftSettings: settings),
        .target(
            name: "BackstopHummingbird",
            dependencies: [
                "Backstop", "BackstopHash", hummingbird("Hummingbird", "hummingbird"),
                hummingbird("HTTPTypes", "swift-http-types"), hummingbird("Logging", "swift-log"),
                hummingbird("NIOHTTP1", "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "BackstopGRPC",
            dependencies: [
                "BackstopResilience", grpc("GRPCCore", "grpc-swift-2"), grpc("GRPCProtobuf", "grpc-swift-protobuf"),
            ],
            swiftSettings: settings),
        .target(name: "BackstopGraphQLSyntax", swiftSettings: settings),
        // What the library, the plugins' tool and the fault server hash documents with.
        .target(name: "BackstopHash", swiftSettings: settings),
        .target(
            name: "PersistedOperationsWriter", dependencies: ["BackstopGraphQLSyntax", "BackstopHash"],
            swiftSettings: settings),
        // Tests that are built with a plugin cannot link its executable as well, so all but its `main` is a library.
        .executableTarget(
            name: "PersistedOperationsTool", dependencies: ["PersistedOperationsWriter"], swiftSettings: settings),
        .plugin(
            name: "PersistedOperations", capability: .buildTool(), dependencies: ["PersistedOperationsTool"]),
        .plugin(
            name: "PersistedOperationsManifest",
            capability: .command(
                intent: .custom(
                    verb: "persisted-operations-manifest",
                    description: "Writes the manifest of all persisted operations, for safelisting."),
                permissions: [.writeToPackageDirectory(reason: "It writes the manifest.")]),
            dependencies: ["PersistedOperationsTool"]),
        .target(name: "BackstopTesting", dependencies: ["Backstop", "BackstopTransfers"], swiftSettings: settings),
        .target(
            name: "BackstopFaultServer", dependencies: ["BackstopGraphQLSyntax", "BackstopHash", flyingSocks],
            swiftSettings: settings),
        .executableTarget(
            name: "BackstopCLI",
            dependencies: [
                "BackstopResilience", "BackstopTransfers", "BackstopTesting", "BackstopSubscriptions",
                "BackstopGraphQLSyntax", "BackstopFaultServer", "BackstopCombine", "BackstopPresentation",
                "BackstopAsyncHTTPClient", "BackstopGraphQLSocket", argumentParser,
            ],
            // Part of the command, so that it can be copied to anywhere.
            resources: [.embedInCode("Pages")],
            swiftSettings: settings),
        .executableTarget(
            name: "backstop-benchmarks",
            dependencies: [
                "BackstopResilience", "BackstopTransfers", "BackstopTesting", "BackstopFaultServer",
                "BackstopAsyncHTTPClient",
                asyncHTTPClient("AsyncHTTPClient", "async-http-client"), asyncHTTPClient("NIOCore", "swift-nio"),
            ],
            path: "Sources/BackstopBenchmarks",
            swiftSettings: settings),
        // What the tests of all targets share. In no product.
        .target(
            name: "BackstopTestSupport",
            dependencies: ["BackstopCore", "Backstop", "BackstopTesting", "BackstopFaultServer"],
            path: "Tests/BackstopTestSupport", swiftSettings: settings),
        .testTarget(
            name: "BackstopTestSupportTests", dependencies: ["BackstopCore", "BackstopTestSupport"],
            swiftSettings: settings),
        // Holds the guides against the code; the recipes of the Cookbook stand there file by file.
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "BackstopAuthentication", "BackstopResilience", "BackstopGraphQL", "BackstopCombine",
                "BackstopPresentation", "BackstopStreams", "BackstopTransfers", "BackstopTesting",
                "BackstopFaultServer", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        // The recipes for apps that keep their client, and what they use of other libraries. For the compiler each is of
        // another package, as it is there.
        .target(
            name: "BackstopLibraryStandIns", path: "Tests/BackstopLibraryStandIns", packageAccess: false,
            swiftSettings: settings),
        .testTarget(
            name: "KeptClientTests",
            dependencies: [
                "BackstopResilience", "BackstopCombine", "BackstopPresentation", "BackstopTesting",
                "BackstopLibraryStandIns",
            ],
            packageAccess: false, swiftSettings: settings),
        // The app of Docs/GettingStarted.md, as it stands in a new Xcode project, and once more in the language mode of Swift 5.
        .testTarget(
            name: "AppTests",
            dependencies: [
                "BackstopAuthentication", "BackstopCombine", "BackstopPresentation", "BackstopTesting", openCombine,
            ],
            swiftSettings: appSettings + [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "AppSwift5Tests",
            dependencies: [
                "BackstopAuthentication", "BackstopCombine", "BackstopPresentation", "BackstopTesting", openCombine,
            ],
            swiftSettings: appSettings + [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "BackstopCoreTests", dependencies: ["BackstopCore", "BackstopTesting", "BackstopTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopStreamsTests",
            dependencies: [
                "BackstopStreams", "BackstopAuthentication", "BackstopResilience", "BackstopAsyncHTTPClient",
                "BackstopObservability", "BackstopTesting", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopTransfersTests",
            dependencies: [
                "BackstopTransfers", "BackstopAuthentication", "BackstopAsyncHTTPClient", "BackstopTesting",
                "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopAuthenticationTests",
            dependencies: [
                "BackstopAuthentication", "BackstopResilience", "BackstopTesting", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopResilienceTests",
            dependencies: ["BackstopResilience", "BackstopTesting", "BackstopTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopTests",
            dependencies: [
                "BackstopAuthentication", "BackstopResilience", "BackstopTesting", "BackstopFaultServer",
                "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopTestingTests",
            dependencies: [
                "BackstopAuthentication", "BackstopResilience", "BackstopTesting", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopFaultServerTests",
            dependencies: [
                "Backstop", "BackstopSubscriptions", "BackstopGraphQLSocket", "BackstopTesting", "BackstopFaultServer",
                "BackstopTestSupport", flyingSocks,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopCLITests",
            dependencies: [
                "BackstopCLI", "BackstopResilience", "BackstopCombine", "BackstopPresentation", "BackstopTesting",
                "BackstopFaultServer", "BackstopGraphQLSocket", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopGraphQLTests",
            dependencies: [
                "BackstopGraphQL", "BackstopAuthentication", "BackstopResilience", "BackstopTesting",
                "BackstopFaultServer", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopSubscriptionsTests",
            dependencies: [
                "BackstopSubscriptions", "BackstopAuthentication", "BackstopAsyncHTTPClient", "BackstopTesting",
                "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopGraphQLSocketTests",
            dependencies: [
                "BackstopGraphQLSocket", "BackstopAuthentication", "BackstopTesting", "BackstopFaultServer",
                "BackstopTestSupport",
                asyncHTTPClient("NIOCore", "swift-nio"), asyncHTTPClient("NIOPosix", "swift-nio"),
                asyncHTTPClient("NIOHTTP1", "swift-nio"), asyncHTTPClient("NIOWebSocket", "swift-nio"),
                asyncHTTPClient("NIOEmbedded", "swift-nio"), asyncHTTPClient("NIOSSL", "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopCombineTests",
            dependencies: [
                "BackstopCombine", "BackstopAuthentication", "BackstopStreams", "BackstopSubscriptions",
                "BackstopTesting", "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopPresentationTests",
            dependencies: [
                "BackstopPresentation", "BackstopAuthentication", "BackstopSubscriptions", "BackstopTesting",
                "BackstopTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopAsyncHTTPClientTests",
            dependencies: [
                "BackstopAsyncHTTPClient", "BackstopStreams", "BackstopTesting", "BackstopFaultServer",
                "BackstopTestSupport",
                asyncHTTPClient("AsyncHTTPClient", "async-http-client"), asyncHTTPClient("NIOCore", "swift-nio"),
                asyncHTTPClient("NIOPosix", "swift-nio"), asyncHTTPClient("NIOHTTP1", "swift-nio"),
                asyncHTTPClient("NIOSSL", "swift-nio-ssl"), asyncHTTPClient("NIOHTTP2", "swift-nio-http2"),
                asyncHTTPClient("NIOHPACK", "swift-nio-http2"),
                asyncHTTPClient("HTTPTypes", "swift-http-types"),
                observability("InMemoryTracing", "swift-distributed-tracing"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopObservabilityTests",
            dependencies: [
                "BackstopObservability", "BackstopResilience", "BackstopTesting", "BackstopFaultServer",
                "BackstopTestSupport", observability("Logging", "swift-log"),
                observability("InMemoryLogging", "swift-log"),
                observability("Metrics", "swift-metrics"),
                observability("MetricsTestKit", "swift-metrics"),
                observability("Tracing", "swift-distributed-tracing"),
                observability("InMemoryTracing", "swift-distributed-tracing"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopHummingbirdTests",
            dependencies: [
                "BackstopHummingbird", "BackstopAsyncHTTPClient", "BackstopResilience", "BackstopTesting",
                "BackstopFaultServer", "BackstopTestSupport", hummingbird("Hummingbird", "hummingbird"),
                hummingbird("HummingbirdTesting", "hummingbird"), hummingbird("HTTPTypes", "swift-http-types"),
                hummingbird("Logging", "swift-log"), hummingbird("InMemoryLogging", "swift-log"),
                hummingbird("NIOCore", "swift-nio"), hummingbird("NIOHTTP1", "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopGRPCTests",
            dependencies: [
                "BackstopGRPC", "BackstopTesting", "BackstopTestSupport", grpc("GRPCCore", "grpc-swift-2"),
                grpc("GRPCInProcessTransport", "grpc-swift-2"),
                grpc("GRPCNIOTransportHTTP2", "grpc-swift-nio-transport"),
                grpc("GRPCProtobuf", "grpc-swift-protobuf"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackstopGraphQLSyntaxTests", dependencies: ["BackstopGraphQLSyntax", "BackstopTestSupport"],
            swiftSettings: settings),
        .testTarget(name: "BackstopHashTests", dependencies: ["BackstopHash"], swiftSettings: settings),
        .testTarget(
            name: "PersistedOperationsToolTests",
            dependencies: [
                "PersistedOperationsWriter", "BackstopGraphQL", "BackstopGraphQLSyntax", "BackstopHash",
                "BackstopTestSupport",
            ],
            swiftSettings: settings,
            plugins: ["PersistedOperations"]),
    ]
)

// Whoever works on the package sees warnings; the checks of `.ci/run` fail on them.
if Context.environment["BACKSTOP_WARNINGS_AS_ERRORS"] != nil {
    for target in package.targets where target.type != .plugin {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
