/// The bytes of the requests that the client makes.
struct Requests {
    let plan: Plan

    func completion(tag: String) -> [UInt8] {
        request(
            "POST", plan.path,
            body: """
                {"model":"\(plan.model)","stream":true,"messages":[{"role":"user","content":"bench:\(tag)"}]}
                """)
    }

    func turn(_ work: Work) -> [UInt8] {
        let parent = work.parent.map { "\"\($0)\"" } ?? "null"
        return request(
            "PUT", "/v1/conversations/\(work.conversation)/turns/\(work.turn)",
            body: """
                {"parent":\(parent),"answer":"\(work.answer)","content":[{"type":"text","text":"bench:\(work.turn)"}],\
                "model":"\(plan.model)","options":{}}
                """)
    }

    func events(of answer: String, after cursor: Int) -> [UInt8] {
        request("GET", "/v1/answers/\(answer)/events?after=\(cursor)", body: nil)
    }

    private func request(_ method: String, _ path: String, body: String?) -> [UInt8] {
        var text = """
            \(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(plan.port)\r\nAuthorization: Bearer \(plan.token)\r\n\
            Accept: text/event-stream\r\n
            """
        if let body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        } else {
            text += "\r\n"
        }
        return Array(text.utf8)
    }
}
