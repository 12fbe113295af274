import Backstop
import BackstopTestSupport
import Testing

@Suite("The network options of a call", .limited)
struct NetworkOptionsTests {
    @Test("take a priority from 0 to 1", arguments: [0, 0.25, 1])
    func priority(_ value: Double) throws {
        var options = CallOptions()
        #expect(options.values.network.priority == 0.5)
        try options.values.network.setPriority(value)
        #expect(options.values.network.priority == value)
        #expect(options.values.network != NetworkOptions())
    }

    @Test("refuse any other priority, and keep the one they have", arguments: [-0.1, 1.1, .infinity, .nan])
    func badPriority(_ value: Double) {
        var options = NetworkOptions()
        let error = #expect(throws: ConfigurationError.self) { try options.setPriority(value) }
        #expect(error?.setting == "NetworkOptions.priority")
        #expect(options == NetworkOptions())
    }
}
