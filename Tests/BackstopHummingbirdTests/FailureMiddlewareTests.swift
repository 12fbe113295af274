#if Hummingbird
    import Testing
#endif
