@_exported public import BackstopCore
