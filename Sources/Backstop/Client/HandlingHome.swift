package import BackstopCore

/// The handlers of a client and of its copies, for failures to refer to without keeping them alive.
package final class HandlingHome: Sendable {
    package let handling: FailureHandling

    init(_ handling: FailureHandling) {
        self.handling = handling
    }
}
