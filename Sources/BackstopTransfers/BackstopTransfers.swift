@_exported public import BackstopStreams
