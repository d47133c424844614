import BenchCore
import BenchSystem

// bench-load --port N --route chat|native --model NAME …: runs one plan and prints lines of JSON.
do {
    let plan = try Plan(Options(CommandLine.arguments.dropFirst(), known: Plan.names))
    try LoadClient(plan: plan, clock: MonotonicClock()).run()
} catch {
    print(#"{"event":"failed","why":"\#(error)"}"#)
    leave(2)
}
