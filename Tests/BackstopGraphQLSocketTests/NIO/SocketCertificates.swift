#if AsyncHTTPClient && !canImport(Darwin)
    import NIOSSL

    /// A certificate for localhost and 127.0.0.1 that signs itself, made once with OpenSSL, valid for a hundred years.
    enum SocketCertificates {
        static func certificate() throws -> NIOSSLCertificate {
            try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
        }

        static func key() throws -> NIOSSLPrivateKey {
            try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        }

        private static let pem = """
            -----BEGIN CERTIFICATE-----
            MIIBsDCCAVegAwIBAgIUUQGxLwOW1aW8kceymf8cVG+lmAMwCgYIKoZIzj0EAwIw
            HzEdMBsGA1UEAwwUQmFja3N0b3AgU29ja2V0IFRlc3QwIBcNMjYxMTI1MjI0MDQ2
            WhgPMjEyNjExMDEyMjQwNDZaMB8xHTAbBgNVBAMMFEJhY2tzdG9wIFNvY2tldCBU
            ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9cTezI/7uPZ+jkpaGielyEM8
            xV47UcA0POn8KXKkDHGwvobT3lap3q2eY1o+8Umyhtuy8ImrtOGB8deS0N/RX6Nv
            MG0wHQYDVR0OBBYEFNBT8Wwj9kNYUnZT7wPAEWbMWGQTMB8GA1UdIwQYMBaAFNBT
            8Wwj9kNYUnZT7wPAEWbMWGQTMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJ
            bG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0cAMEQCIClsK7eRFRV3A5LYwk1j
            i7/b5WcEFD9DV9AYzgwfLQCrAiBZHHoc62PekZGD9BjmkqZ5SkchUCh1y2GKTMcV
            2faL4A==
            -----END CERTIFICATE-----
            """

        private static let keyPEM = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggoxCtQmQmT5sfDbb
            H1wcQ0hlzrJYlqgxoTWCiwBpUOShRANCAAT1xN7Mj/u49n6OSloaJ6XIQzzFXjtR
            wDQ86fwpcqQMcbC+htPeVqnerZ5jWj7xSbKG27Lwiau04YHx15LQ39Ff
            -----END PRIVATE KEY-----
            """
    }
#endif
