import CCurl

extension HTTPClientError {
    /// What the library says about a call; nil if it went well.
    init?(_ result: CURLcode) {
        let code: Code
        switch result {
        case CURLE_OK: return nil
        case CURLE_URL_MALFORMAT: code = .invalidRequest
        // The library's own clock is only set for connecting.
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_OPERATION_TIMEDOUT:
            code = .unreachable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_INITFAILED:
            code = .tls
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND:
            code = .connectionClosed
        // The protocol is one of two by now, so an unsupported one is a reply without a status line.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            code = .malformedReply
        case CURLE_WRITE_ERROR: code = .cancelled
        default: code = .internalFailure
        }
        self.init(code, unsafe String(cString: curl_easy_strerror(result)))
    }
}
