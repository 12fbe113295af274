@_exported public import BackstopGraphQL

// Combine, or its replacement elsewhere: only this file knows which.
#if canImport(Combine)
    @_exported public import Combine
#elseif OpenCombine
    @_exported public import OpenCombine
#endif
