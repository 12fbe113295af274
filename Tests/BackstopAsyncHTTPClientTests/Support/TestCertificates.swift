#if AsyncHTTPClient && Demo
    /// Certificates of these tests, made once with OpenSSL, valid for a hundred years unless their name says otherwise.
    enum TestCertificates {
        /// Issued all of them but one.
        static let ca = """
            -----BEGIN CERTIFICATE-----
            MIIBnjCCAUOgAwIBAgIUHhzJRbSEXOfQklDpSDfmo92lRRYwCgYIKoZIzj0EAwIw
            GzEZMBcGA1UEAwwQQmFja3N0b3AgVGVzdCBDQTAgFw0yNjExMjIwMDQyMTJaGA8y
            MTI2MTAyOTAwNDIxMlowGzEZMBcGA1UEAwwQQmFja3N0b3AgVGVzdCBDQTBZMBMG
            ByqGSM49AgEGCCqGSM49AwEHA0IABPkQnNcO8/HILtYnYqwwYNVDlduhnx6L4kGV
            0dHH/ayQJLBlterPS5M4mR2dmsPMF8Tf8yyzYxtYhEJGJ5KZeFWjYzBhMB0GA1Ud
            DgQWBBQON0v0Fl7BueeBbNXLVuUdxlT1WDAfBgNVHSMEGDAWgBQON0v0Fl7BueeB
            bNXLVuUdxlT1WDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAKBggq
            hkjOPQQDAgNJADBGAiEAy3BNdWuy2scc/54Q3MEEtervoGCy3envOmcW2i8HnMgC
            IQCSnQR0NBnRVHDA2QOZx6tenBID9HnC8u02Rf4QaFxGRw==
            -----END CERTIFICATE-----
            """

        /// For localhost, 127.0.0.1 and ::1.
        static let good = """
            -----BEGIN CERTIFICATE-----
            MIIBvzCCAWagAwIBAgIUQPsntCgYW5WceRG8pU9wlGVcVpEwCgYIKoZIzj0EAwIw
            GzEZMBcGA1UEAwwQQmFja3N0b3AgVGVzdCBDQTAgFw0yNjExMjIwMDQyMTNaGA8y
            MTI2MTAyOTAwNDIxM1owDzENMAsGA1UEAwwEZ29vZDBZMBMGByqGSM49AgEGCCqG
            SM49AwEHA0IABNjOz9tL65ouDDdbzU/R6L3fq2pJGCzNa1+il9n/pOd+R/prkPym
            2bUi/j4lB7WboT0kcRThNG12JmKXINh4mnCjgZEwgY4wLAYDVR0RBCUwI4IJbG9j
            YWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMBMGA1UdJQQMMAoGCCsGAQUF
            BwMBMAkGA1UdEwQCMAAwHQYDVR0OBBYEFNtyAbOCM1Zg86SSl7hpW8xlj3qsMB8G
            A1UdIwQYMBaAFA43S/QWXsG554Fs1ctW5R3GVPVYMAoGCCqGSM49BAMCA0cAMEQC
            IFNNbwBsl8z9o3Bq7pOhufpv87/cTRymGUTBKmOLIs93AiB13XlcJ6sdmDkgeqCb
            rrW61Xj2O4V7fBXsyInQ7Trlrw==
            -----END CERTIFICATE-----
            """

        static let goodKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsgjpxXBTxuLAHjWF
            Cb0EDoY0Ae9OBERzHOO8PWOTKY2hRANCAATYzs/bS+uaLgw3W81P0ei936tqSRgs
            zWtfopfZ/6Tnfkf6a5D8ptm1Iv4+JQe1m6E9JHEU4TRtdiZilyDYeJpw
            -----END PRIVATE KEY-----
            """

        /// For other.example.
        static let other = """
            -----BEGIN CERTIFICATE-----
            MIIBqzCCAVGgAwIBAgIUQPsntCgYW5WceRG8pU9wlGVcVpIwCgYIKoZIzj0EAwIw
            GzEZMBcGA1UEAwwQQmFja3N0b3AgVGVzdCBDQTAgFw0yNjExMjIwMDQyMTNaGA8y
            MTI2MTAyOTAwNDIxM1owEDEOMAwGA1UEAwwFb3RoZXIwWTATBgcqhkjOPQIBBggq
            hkjOPQMBBwNCAASB8JCB889aB8N9ayKny2Qk/atammzm1QgloVsyOManOCrKwQSi
            eN4jeWZtxIoUnHonf9EqExIddDVnRCwMJ6aho3wwejAYBgNVHREEETAPgg1vdGhl
            ci5leGFtcGxlMBMGA1UdJQQMMAoGCCsGAQUFBwMBMAkGA1UdEwQCMAAwHQYDVR0O
            BBYEFEHQVbXuw6aIGqNW5MC59wxa08SmMB8GA1UdIwQYMBaAFA43S/QWXsG554Fs
            1ctW5R3GVPVYMAoGCCqGSM49BAMCA0gAMEUCIQDWYlDdgM2eh4SAV/eBARoca9Xr
            RSoK1sbP4sYZpSGhfQIgZIWq3l9IhXYj6eDIb8sverUsytaTWC/sy6k9BBvryPc=
            -----END CERTIFICATE-----
            """

        static let otherKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUOkJ5TuZNz+ILo38
            ZIMwP8KOL11dsDCtGDzHjtiV2vOhRANCAASB8JCB889aB8N9ayKny2Qk/atammzm
            1QgloVsyOManOCrKwQSieN4jeWZtxIoUnHonf9EqExIddDVnRCwMJ6ah
            -----END PRIVATE KEY-----
            """

        /// For localhost and 127.0.0.1, until the end of 2020.
        static let expired = """
            -----BEGIN CERTIFICATE-----
            MIIBQzCB66ADAgECAgEHMAoGCCqGSM49BAMCMBsxGTAXBgNVBAMMEEJhY2tzdG9w
            IFRlc3QgQ0EwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjASMRAwDgYD
            VQQDDAdleHBpcmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2dtxu5PK7DtB
            /ZNcpihbo6fcgm83iDeaz5gIQME/IkI9cRWwirnCj8NqSS22OtV2N0IuS2Irx93x
            JUljuLh/iqMpMCcwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAkGA1UdEwQC
            MAAwCgYIKoZIzj0EAwIDRwAwRAIgZwoecyOkVj9iw1Ptj7J05SIM+gyBTKMtGe3e
            r77yPF0CIBhEESWeMugd/xM7u3NQYw9yXqcncx0PHR1x8/p4jZsr
            -----END CERTIFICATE-----
            """

        static let expiredKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVTOsETBHCX7R2zYY
            4rSpCoWYM7PTuHVGu8rrq8JFhC2hRANCAATZ23G7k8rsO0H9k1ymKFujp9yCbzeI
            N5rPmAhAwT8iQj1xFbCKucKPw2pJLbY61XY3Qi5LYivH3fElSWO4uH+K
            -----END PRIVATE KEY-----
            """

        /// That of a client.
        static let client = """
            -----BEGIN CERTIFICATE-----
            MIIBpTCCAUugAwIBAgIUQPsntCgYW5WceRG8pU9wlGVcVpMwCgYIKoZIzj0EAwIw
            GzEZMBcGA1UEAwwQQmFja3N0b3AgVGVzdCBDQTAgFw0yNjExMjIwMDQyMTNaGA8y
            MTI2MTAyOTAwNDIxM1owETEPMA0GA1UEAwwGY2xpZW50MFkwEwYHKoZIzj0CAQYI
            KoZIzj0DAQcDQgAETalNHzca9Pu4QS8gcwYM+/+SSpo4AiIzZNvosh4CdZv5zdie
            wrjWh390x0CGoc0fPdg9Hvn0M+FGEv6Oi4jkwaN1MHMwEQYDVR0RBAowCIIGY2xp
            ZW50MBMGA1UdJQQMMAoGCCsGAQUFBwMCMAkGA1UdEwQCMAAwHQYDVR0OBBYEFB0t
            jLDREE770MbNAgBoXBfHF5X/MB8GA1UdIwQYMBaAFA43S/QWXsG554Fs1ctW5R3G
            VPVYMAoGCCqGSM49BAMCA0gAMEUCIHhna9bDNmoLW9afrfLIqbKk94PGXIhnQcrq
            KeVK0OINAiEAieJALWMCv/QfrN8N5YJT8qnmownbCZ+pbv6zMhpjGM0=
            -----END CERTIFICATE-----
            """

        static let clientKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiJWhhEfefYfEA+hf
            anFhSIcnreBY5JqHYRtwYn9yYDyhRANCAARNqU0fNxr0+7hBLyBzBgz7/5JKmjgC
            IjNk2+iyHgJ1m/nN2J7CuNaHf3THQIahzR892D0e+fQz4UYS/o6LiOTB
            -----END PRIVATE KEY-----
            """

        /// For localhost and 127.0.0.1, issued by itself.
        static let stranger = """
            -----BEGIN CERTIFICATE-----
            MIIBnDCCAUGgAwIBAgIUKbwJCsrPD0imAu8r3U8RWTIgbjcwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAwNDIxM1oYDzIxMjYxMDI5
            MDA0MjEzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAATZmZSFO0Nb74ir5zZpk5fAXC7p2cmlVNj3fFhpSHtwsj64xNLt4d56
            JVw+aroxd//T5qXkUFxuY5KP43sPlZ92o28wbTAdBgNVHQ4EFgQU+3UoC3zGJmi9
            QU7npc8/d/azmGowHwYDVR0jBBgwFoAU+3UoC3zGJmi9QU7npc8/d/azmGowDwYD
            VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
            zj0EAwIDSQAwRgIhAJo2rZZD8GO+MduJZ4KUom1ncrRrjem7otacUn9mWex7AiEA
            9CYADTbKUSk2XzsUQIUL5VsbVlcalxnKJNWUoKJZlU4=
            -----END CERTIFICATE-----
            """

        static let strangerKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQmoQ1rQo2LnfxnsH
            O/CDfheSzrylLCTAYF5b9pb1VBOhRANCAATZmZSFO0Nb74ir5zZpk5fAXC7p2cml
            VNj3fFhpSHtwsj64xNLt4d56JVw+aroxd//T5qXkUFxuY5KP43sPlZ92
            -----END PRIVATE KEY-----
            """
    }
#endif
