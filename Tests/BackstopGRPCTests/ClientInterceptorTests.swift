#if GRPC
    import Testing
#endif
