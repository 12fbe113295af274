@_exported public import BackstopResilience
