import HTTPServer
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc

@Suite struct DescriptorTests {
    @Test func `running out of descriptors rests the listener until some are free`() async {
        // In a process of its own: the limit is the whole process's.
        await #expect(processExitsWith: .success) {
            // Blocking waits only: timers open descriptors of their own.
            let server = HTTPServer(.init()) { try? await $0.respond(200) }
            let port = try server.start()
            let first = try RawClient(port: port)
            await first.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            guard await first.reply()?.status == 200 else { exit(2) }
            var limit = rlimit(rlim_cur: 40, rlim_max: 40)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var clients: [RawClient] = []
            while let client = try? RawClient(port: port) { clients.append(client) }
            for _ in 0..<1000 where server.statistics.acceptFailures == 0 { usleep(10_000) }
            guard server.statistics.acceptFailures > 0 else { exit(3) }
            let before = clock()
            sleep(1)
            // A loop that spins would take a whole second of processor time, and fail thousands of times.
            let took = Double(clock() - before) / Double(CLOCKS_PER_SEC)
            guard took < 0.5, server.statistics.acceptFailures < 20 else { exit(4) }
            clients.removeAll()
            for _ in 0..<500 {
                usleep(10_000)
                guard let client = try? RawClient(port: port) else { continue }
                await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                if await client.reply(within: 2)?.status == 200 { exit(0) }
            }
            exit(5)
        }
    }
}
#endif
