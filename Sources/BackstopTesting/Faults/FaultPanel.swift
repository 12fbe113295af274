#if canImport(SwiftUI)
    internal import Backstop
    public import SwiftUI

    /// A list of failures for a debug menu: tap one, and the next call fails so.
    ///
    /// ```swift
    /// #if canImport(SwiftUI)
    ///     import SwiftUI
    ///
    ///     struct DebugMenu: View {
    ///         let faults: FaultInjection  // the one in the client's chain
    ///
    ///         var body: some View {
    ///             NavigationStack {
    ///                 FaultPanel(faults).navigationTitle("Faults")
    ///             }
    ///         }
    ///     }
    /// #endif
    /// ```
    /// With "All calls", each call fails so until "Stop". Calls that a ``FaultInjection`` was told to fail by your code
    /// are stopped by it, too. Keep it out of release builds, with `#if DEBUG`.
    public struct FaultPanel: View {
        private let faults: FaultInjection
        @State private var isForAll = false
        @State private var chosen = ""

        /// Makes a panel.
        ///
        /// - Parameter faults: The interceptor that it tells.
        public init(_ faults: FaultInjection) {
            self.faults = faults
        }

        /// The failures, and how many calls get them.
        public var body: some View {
            List {
                Section {
                    Toggle("All calls", isOn: $isForAll)
                    Button("Stop") {
                        faults.clear()
                        chosen = ""
                    }
                    .disabled(chosen.isEmpty)
                } footer: {
                    Text(verbatim: chosen.isEmpty ? "Choose how the next call fails." : chosen)
                }
                Section {
                    ForEach(FaultChoice.all, id: \.name) { choice in
                        Button(choice.name) {
                            choose(choice)
                        }
                    }
                }
            }
        }

        private func choose(_ choice: FaultChoice) {
            faults.clear()
            if isForAll {
                faults.add(choice.fault.repeated())
            } else {
                faults.next = choice.fault
            }
            chosen = "Chosen for \(isForAll ? "all calls" : "one call"): \(choice.name)"
        }
    }
#endif
