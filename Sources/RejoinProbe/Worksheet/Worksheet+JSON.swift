import RejoinCore

extension Worksheet {
    /// As one JSON object, times in milliseconds.
    package var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("subject", subject)
        json.name("made_at")
        json.time(madeAt)
        json.name("acceptable")
        json.bool(isAcceptable)
        json.name("probes")
        json.beginArray()
        for finding in findings { finding.write(to: &json) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}

extension Finding {
    fileprivate func write(to json: inout JSONWriter) {
        func write(_ name: String, _ texts: [String]) {
            json.name(name)
            json.beginArray()
            for text in texts { json.string(text) }
            json.endArray()
        }
        json.beginObject()
        json.member("number", number)
        json.member("title", title)
        json.member("decided", decided)
        json.member("outcome", outcome.rawValue)
        json.member("observed", observed)
        json.member("confidence", confidence.rawValue)
        write("doubts", doubts)
        write("evidence", evidence)
        json.name("timings")
        json.beginArray()
        for timing in timings {
            json.beginObject()
            json.member("name", timing.name)
            json.name("milliseconds")
            json.integer(Int(timing.duration / Duration.milliseconds(1)))
            json.endObject()
        }
        json.endArray()
        json.name("took_milliseconds")
        json.integer(Int(took / Duration.milliseconds(1)))
        json.endObject()
    }
}
