@_exported public import Backstop
