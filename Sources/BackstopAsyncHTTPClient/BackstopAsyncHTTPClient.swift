@_exported public import Backstop

#if AsyncHTTPClient
    import AsyncHTTPClient
#endif
