@_exported public import BackstopGraphQL

// Combine, or what stands for it elsewhere: the only place that knows which.
#if canImport(Combine)
    @_exported public import Combine
#elseif OpenCombine
    @_exported public import OpenCombine
#endif
