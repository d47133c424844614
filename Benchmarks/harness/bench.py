"""What the suites share: the components of the run, each started when it is first wanted."""

import statistics
import time

from . import load
from .peers import LiteLLM, Nginx, Rejoin, Upstream

# Every shape that a suite asks for; servers learn their models before they start.
SHAPES = {
    "stream": "bench-n128-r20-d200",
    "short": "bench-n5-r100-d200",
    "fan": "bench-n150-r10-d500",
    "silent": "bench-n1-r1-d600000",
    "dense": "bench-n500-r100-d50",
    "long": "bench-n6000-r20-d200",
    "behind": "bench-n2000-r100-d200-h120000",
    "cut": "bench-n200-r50-d50",
    "restart": "bench-n400-r10-d200",
    "seed": "bench-n1-r0-d0",
    "kill": "bench-n40-r80-d30",
}


class Bench:
    """One run of `Benchmarks/run`."""

    def __init__(self, folder, tools, program, repeats, quick, with_litellm, report):
        self.folder = folder
        self.tools = tools
        self.program = program
        self.repeats = repeats
        self.quick = quick
        self.with_litellm = with_litellm and LiteLLM.is_installed()
        self.report = report
        self.components = {}
        self.memory = {}

    def component(self, name, make):
        """The component of that name, made when it is first asked for."""
        if name not in self.components:
            self.components[name] = make()
        return self.components[name]

    @property
    def upstream(self):
        """The scripted model."""
        return self.component("upstream", lambda: Upstream(self.folder, self.tools))

    @property
    def nginx(self):
        """The floor."""
        return self.component("nginx", lambda: Nginx(self.folder, self.upstream))

    @property
    def litellm(self):
        """The gateway."""
        return self.component("litellm", lambda: LiteLLM(self.folder, self.upstream, list(SHAPES.values())))

    @property
    def rejoin(self):
        """Our server; one store for the whole run."""
        return self.component("rejoin", lambda: self.new_rejoin("rejoin").start())

    def new_rejoin(self, name, folder=None):
        """A server of our own with an empty store, not started."""
        if not self.program:
            raise load.LoadFailure("no rejoin program: build it or name it with --rejoin")
        return Rejoin(folder or self.folder, self.program, self.upstream, list(SHAPES.values()), name)

    def lanes(self, litellm=True):
        """The ways from the load client to the model: name, load options, and the component in the middle."""
        lanes = [("direct", self.upstream.load_options(), None)]
        if Nginx.is_installed():
            lanes.append(("nginx", self.nginx.load_options(), self.nginx))
        if litellm and self.with_litellm:
            lanes.append(("litellm", self.litellm.load_options(), self.litellm))
        if self.program:
            lanes.append(("rejoin", self.rejoin.load_options("native"), self.rejoin))
            lanes.append(("rejoin compatible", self.rejoin.load_options("compatible"), self.rejoin))
        return lanes

    def measure(self, lane, options):
        """Runs a plan through a lane: findings with the processor seconds of the component in the middle."""
        _, target, component = lane
        before = component.processor() if component else 0
        findings = load.run(self.tools, target + options)
        # What was shown is durable already; what the server still tidies up belongs to the run as well.
        time.sleep(0.3)
        findings["middle"] = (component.processor() - before) if component else 0
        return findings

    def compare(self, key, options, litellm=True, repeats=None):
        """The same plan through every lane in turn, several times: findings by lane name, remembered under `key`."""
        if key in self.memory:
            return self.memory[key]
        found = {}
        for repeat in range(repeats or self.repeats):
            for lane in self.lanes(litellm):
                findings = self.measure(lane, options)
                found.setdefault(lane[0], []).append(findings)
                print(
                    f"    {key} {repeat + 1} {lane[0]}: {findings['pieces']} pieces in {findings['elapsed']:.1f} s, "
                    f"age p99 {findings['age']['p99']:.1f} ms, middle {findings['middle']:.2f} s, "
                    f"client {findings['processor']:.2f} s {load.faults(findings)}".rstrip(), flush=True)
        self.memory[key] = found
        return found

    def stop(self):
        """Ends everything that was started."""
        for component in reversed(list(self.components.values())):
            component.stop()


def each(found, name, value):
    """A figure of every repeat of a lane."""
    return [value(findings) for findings in found.get(name, [])]


def ratios(found, ours, theirs, value):
    """Our figure over theirs, repeat by repeat, so that both saw the same machine."""
    pairs = zip(found.get(ours, []), found.get(theirs, []))
    return [value(a) / value(b) for a, b in pairs if value(b) > 0]


def median(values):
    """The middle one."""
    return statistics.median(values)
