@_exported public import BackstopGraphQL
@_exported public import BackstopStreams
