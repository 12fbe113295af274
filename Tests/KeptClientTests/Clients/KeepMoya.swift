import BackstopLibraryStandIns
import BackstopResilience

extension MoyaError {
    var failure: Failure {
        Failure(self, request: response?.request, response: response?.response, body: response?.data)
    }
}
