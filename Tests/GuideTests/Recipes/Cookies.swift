import Backstop
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that keeps cookies, in memory and only for itself.
///
/// - Returns: The client, and its cookies.
func makeClientWithCookies(baseURL: String) throws -> (Client, cookies: HTTPCookieStorage?) {
    let configuration = URLSessionTransport.standardConfiguration
    configuration.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
    configuration.httpCookieAcceptPolicy = .onlyFromMainDocumentDomain
    configuration.httpShouldSetCookies = true
    let transport = try URLSessionTransport(configuration: configuration)
    return (try Client.standard(baseURL: baseURL, transport: transport), configuration.httpCookieStorage)
}
