import Backstop
import BackstopLibraryStandIns

extension MoyaError {
    var failure: Failure {
        Failure(self, request: response?.request, response: response?.response, body: response?.data)
    }
}
