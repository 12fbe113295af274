import Backstop
import BackstopStreams

/// Shows the lines of a log as they are written, until the task is cancelled or the log is lost.
func follow(_ log: String, with client: Client, show: (String) -> Void) async throws -> Failure? {
    // A connection that dies without a word is noticed after this time, so let it be longer than the log is silent.
    let options = try StreamOptions(silence: .seconds(900))
    do throws(Failure) {
        for try await line in try await client.stream(log, as: .lines, options: options) { show(line) }
        return nil
    } catch {
        return error
    }
}
