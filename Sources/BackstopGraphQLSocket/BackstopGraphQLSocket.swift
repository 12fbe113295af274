@_exported public import BackstopSubscriptions
