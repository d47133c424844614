import RejoinMarkdown
import Testing

@Suite(.enabled(if: Examples.path != nil)) struct CommonMarkTests {
    @Test func `the specification is there in full`() {
        #expect(Examples.all.count == 652)
    }

    @Test func `every example of the specification comes out as it says`() {
        var wrong: [String] = []
        for example in Examples.all {
            let html = ReferenceWriter.html(of: example.markdown)
            if html != example.html {
                wrong.append(
                    "\(example.example) \(example.section)\n\(example.markdown)\n--- wanted\n\(example.html)\n--- got\n\(html)"
                )
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong\n\(wrong.prefix(40).joined(separator: "\n=====\n"))")
    }
}
