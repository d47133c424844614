import Foundation
import RejoinServer
import Testing

@Suite struct WebFilesTests {
    private static let page = Array("<!doctype html>".utf8)
    private static let script = Array(repeating: UInt8(ascii: "x"), count: 100)

    private let files = WebFiles([
        .init(path: "/index.html", mediaType: "text/html; charset=utf-8", bytes: page),
        .init(path: "/main.js", mediaType: "text/javascript; charset=utf-8", bytes: script),
    ]) { bytes in
        // Stands for gzip: half the size for the script, larger for the page.
        bytes.count == 100 ? Array(repeating: 0, count: 50) : bytes + [0]
    }

    private func field(_ name: String, of reply: WebFiles.Reply?) -> String? {
        reply?.fields.first { $0.0 == name }?.1
    }

    @Test(arguments: ["/", "/index.html", "/c/01980000-0000-7000-8000-000000000000"])
    func `answers with the page under its own path and every conversation's`(path: String) throws {
        let reply = try #require(files.reply(path: path, ifNoneMatch: nil, acceptEncoding: nil))
        #expect(reply.status == 200)
        #expect(reply.body == Self.page)
        #expect(field("Content-Type", of: reply) == "text/html; charset=utf-8")
    }

    @Test(arguments: [
        "", "/c", "/c/", "/c/a/b", "/main.js/", "//main.js", "/../main.js", "/Main.js", "/v1/conversations", "/c/../x",
    ])
    func `leaves every other path to the next route`(path: String) {
        #expect(files.reply(path: path, ifNoneMatch: nil, acceptEncoding: nil) == nil)
    }

    @Test(arguments: ["gzip", "br, gzip;q=0.5", "*", "deflate, GZIP", "identity;q=0, *;q=1"])
    func `compresses for a browser that takes gzip`(accept: String) throws {
        let reply = try #require(files.reply(path: "/main.js", ifNoneMatch: nil, acceptEncoding: accept))
        #expect(reply.body.count == 50)
        #expect(field("Content-Encoding", of: reply) == "gzip")
    }

    @Test(arguments: [nil, "", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "gzip;q=nonsense"])
    func `sends the plain bytes where gzip is not welcome`(accept: String?) throws {
        let reply = try #require(files.reply(path: "/main.js", ifNoneMatch: nil, acceptEncoding: accept))
        #expect(reply.body == Self.script)
        #expect(field("Content-Encoding", of: reply) == nil)
        #expect(field("Vary", of: reply) == "Accept-Encoding")
    }

    @Test func `sends the plain bytes where compressing would grow them`() {
        let reply = files.reply(path: "/", ifNoneMatch: nil, acceptEncoding: "gzip")
        #expect(reply?.body == Self.page)
        #expect(field("Content-Encoding", of: reply) == nil)
    }

    @Test(arguments: [nil, "gzip"])
    func `sends nothing again that the browser holds`(accept: String?) throws {
        let first = files.reply(path: "/main.js", ifNoneMatch: nil, acceptEncoding: accept)
        let tag = try #require(field("ETag", of: first))
        for held in [tag, "W/\(tag)", "\"old\" , \(tag)", " * "] {
            let again = try #require(files.reply(path: "/main.js", ifNoneMatch: held, acceptEncoding: accept))
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(field("ETag", of: again) == tag)
            #expect(field("Content-Type", of: again) == nil)
        }
        #expect(files.reply(path: "/main.js", ifNoneMatch: "\"old\"", acceptEncoding: accept)?.status == 200)
    }

    @Test func `gives the two forms of a file different tags`() {
        let plain = files.reply(path: "/main.js", ifNoneMatch: nil, acceptEncoding: nil)
        let gzip = files.reply(path: "/main.js", ifNoneMatch: nil, acceptEncoding: "gzip")
        #expect(field("ETag", of: plain) != field("ETag", of: gzip))
        #expect(
            files.reply(path: "/main.js", ifNoneMatch: field("ETag", of: plain), acceptEncoding: "gzip")?.status == 200)
    }

    @Test func `tags known bytes with their published hash`() {
        // The test vector of FNV-1a 128 for "a".
        let files = WebFiles([.init(path: "/a", mediaType: "text/plain", bytes: [UInt8(ascii: "a")])]) { _ in nil }
        let reply = files.reply(path: "/a", ifNoneMatch: nil, acceptEncoding: nil)
        #expect(field("ETag", of: reply) == "\"d228cb696f1a8caf78912b704e4a8964\"")
    }

    @Test func `closes the page to everything but its own server`() throws {
        let reply = files.reply(path: "/", ifNoneMatch: nil, acceptEncoding: nil)
        let policy = try #require(field("Content-Security-Policy", of: reply))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
        #expect(!policy.contains("http") && !policy.contains("data:") && !policy.contains("*"))
        #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types rejoinder-worker"))
        #expect(field("X-Content-Type-Options", of: reply) == "nosniff")
        #expect(field("Referrer-Policy", of: reply) == "no-referrer")
        #expect(field("Cross-Origin-Opener-Policy", of: reply) == "same-origin")
        #expect(field("Cross-Origin-Resource-Policy", of: reply) == "same-origin")
        #expect(field("Cache-Control", of: reply) == "no-cache")
    }

    @Test func `sends what only documents and workers obey with those alone`() {
        let embedded = WebFiles { _ in nil }
        let cases = [("/main.js", false), ("/style.css", false), ("/offline.js", true), ("/icon.svg", true)]
        for (path, hasPolicy) in cases {
            let reply = embedded.reply(path: path, ifNoneMatch: nil, acceptEncoding: nil)
            #expect((field("Content-Security-Policy", of: reply) != nil) == hasPolicy, "\(path)")
            #expect(field("X-Content-Type-Options", of: reply) == "nosniff")
            #expect(field("Cross-Origin-Resource-Policy", of: reply) == "same-origin")
        }
    }

    @Test func `sends scripts without their comments and indentation, and nothing else`() throws {
        let script = """
            // What it is for.
            /** What it does. */
            const address = "https://example.org"; // stays

              /*
               * More about it.
               */
              go(address);

            """
        let files = WebFiles([
            .init(path: "/a.js", mediaType: "text/javascript; charset=utf-8", bytes: Array(script.utf8)),
            .init(path: "/a.json", mediaType: "application/manifest+json", bytes: Array("  {}\n".utf8)),
        ]) { _ in nil }
        let reply = try #require(files.reply(path: "/a.js", ifNoneMatch: nil, acceptEncoding: nil))
        let sent = "const address = \"https://example.org\"; // stays\ngo(address);"
        #expect(String(decoding: reply.body, as: UTF8.self) == sent)
        let other = try #require(files.reply(path: "/a.json", ifNoneMatch: nil, acceptEncoding: nil))
        #expect(other.body == Array("  {}\n".utf8))
    }

    @Test func `has words in every language for whatever happens to an account`() throws {
        for path in ["/account-en.js", "/account-ar.js"] {
            let words = try source(path)
            // A decision has words of its own.
            for event in AuditEntry.Event.allCases where event != .consentChanged {
                #expect(words.contains("\"\(event.rawValue)\": ("), "\(path): \(event.rawValue)")
            }
        }
    }

    @Test func `has no script or style in which leaving out comment lines would change anything`() {
        for file in WebFiles.embedded where file.path.hasSuffix(".js") || file.path.hasSuffix(".css") {
            for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
                #expect(line.count(where: { $0 == "`" }).isMultiple(of: 2), "\(file.path): a text goes on: \(line)")
            }
        }
    }

    @Test func `has compiled in exactly the files of the page's folder`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Web").standardized
        let served: Set = ["html", "css", "js", "svg", "png", "json"]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { served.contains(($0 as NSString).pathExtension) }
        // The core is built, not written: a build without it has a page that says so.
        let embedded = WebFiles.embedded.filter { $0.path != "/core.wasm" }
        #expect(Set(embedded.map(\.path)) == Set(names.map { "/" + $0 }))
        for file in embedded {
            #expect(try Array(Data(contentsOf: folder.appending(path: String(file.path.dropFirst())))) == file.bytes)
        }
    }

    @Test func `refers from the page only to files that it has`() throws {
        let embedded = WebFiles.embedded
        let paths = Set(embedded.map(\.path)).union(["/core.wasm"])
        for file in embedded where file.path.hasSuffix(".js") || file.path.hasSuffix(".html") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: /(?:from |src=|href=)"(\/[^"]+\.[a-z]+)"/) {
                #expect(paths.contains(String(match.1)), "\(file.path) refers to \(match.1)")
            }
            #expect(!text.contains("innerHTML"), "\(file.path) builds markup from text")
            #expect(!text.contains("console."), "\(file.path) writes to the console")
        }
    }

    @Test func `names what comes first and what comes later, and keeps everything for when there is no line`() throws {
        let page = try source("/index.html")
        func named(_ link: String) -> Set<String> {
            let links = page.matches(of: /<link rel="([a-z]+)" href="([^"]+\.js)">/)
            return Set(links.filter { $0.1 == link }.map { String($0.2) })
        }
        let front = try closure(of: "/main.js")
        let whole = try closure(of: "/app.js").subtracting(front)
        #expect(named("modulepreload") == front.subtracting(["/main.js"]))
        #expect(named("later") == whole)
        let worker = try source("/offline.js")
        let list = try #require(worker.firstMatch(of: /const also = \[([^\]]*)\]/)).1
        let kept = Set(list.matches(of: /"([^"]+)"/).map { String($0.1) })
        let linked = Set(page.matches(of: /(?:href|src)="(\/[^"#]+)"/).map { String($0.1) })
        // The system's own pictures for an installed page are no part of what it shows.
        let shown = WebFiles.embedded.map(\.path).filter { path in
            !["/index.html", "/offline.js", "/icon-512.png", "/icon-mask.svg", "/core.wasm"].contains(path)
        }
        #expect(kept.union(linked).subtracting(["/", "/core.wasm"]) == Set(shown))
        #expect(kept.isDisjoint(with: linked))
    }

    /// A file of the page as text.
    private func source(_ path: String) throws -> String {
        let file = try #require(WebFiles.embedded.first { $0.path == path })
        return String(decoding: file.bytes, as: UTF8.self)
    }

    /// A module and all that it imports before it runs.
    private func closure(of root: String) throws -> Set<String> {
        var found: Set<String> = []
        var waiting = [root]
        while let path = waiting.popLast() {
            guard found.insert(path).inserted else { continue }
            waiting += try source(path).matches(of: /(?m)^import [^;]*?"(\/[^"]+)";/).map { String($0.1) }
        }
        return found
    }
}
