import Foundation

/// `local-model-bench MODEL THREADS fixed|adaptive prompt|generation|follow-up REPEATS`: one figure a line.
///
/// Speeds are tokens a second; of a follow-up it is its time to the first token as a share of that of a cold start.
@main
struct LocalModelBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 5, let threads = Int(arguments[2]), let repeats = Int(arguments[5]) else {
            FileHandle.standardError.write(
                Data("usage: local-model-bench MODEL THREADS fixed|adaptive prompt|generation|follow-up REPEATS\n".utf8)
            )
            exit(64)
        }
        let bench = try await Bench(path: arguments[1], threads: threads, isAdaptive: arguments[3] == "adaptive")
        // The first touches the weights and lets the choice of threads settle; it does not count.
        _ = try await bench.generation(count: 64)
        for number in 1...max(1, repeats) {
            switch arguments[4] {
            case "prompt": print(try await bench.prompt(number: number).promptSpeed)
            case "generation": print(try await bench.generation(count: 128).generationSpeed)
            default:
                let (cold, warm) = try await bench.followUp(number: number)
                print(warm / cold)
            }
        }
        await bench.end()
    }
}
