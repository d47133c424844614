import RejoinClient
import Rehearsal

/// The network of one device, which does what a probe says.
///
/// Before a server of this machine stands a proxy that does it to real connections. Elsewhere, where a proxy would break
/// the certificate's name, it is done to what the transport gives.
final class Network: Sendable {
    /// Where the device finds the server.
    let address: String
    /// What carries the device's requests.
    let transport: any Transport
    private let proxy: FaultProxy?
    private let weather: Weather?

    /// Lays a network between a device and a server.
    ///
    /// - Throws: ``SocketFailure`` if the proxy gets no port.
    init(to address: String, transport: any Transport) throws {
        if let port = Self.port(onThisMachine: address) {
            let proxy = try FaultProxy(target: port)
            self.proxy = proxy
            weather = nil
            // Whatever comes after the port: the server may live below a path.
            let rest = address.dropFirst("http://".count).drop { $0 != "/" }
            self.address = "http://127.0.0.1:\(proxy.port)\(rest)"
            self.transport = transport
        } else {
            let weather = Weather()
            proxy = nil
            self.weather = weather
            self.address = address
            self.transport = WeatherTransport(transport, weather)
        }
    }

    /// Whether faults are done to real connections.
    var isReal: Bool { proxy != nil }

    /// The port of an address without encryption on this machine.
    static func port(onThisMachine address: String) -> Int? {
        for start in ["http://127.0.0.1:", "http://localhost:"] where address.hasPrefix(start) {
            return Int(address.dropFirst(start.count).prefix { $0 != "/" })
        }
        return nil
    }

    /// Breaks every open connection; new ones come about.
    func cut() {
        proxy?.cutNow()
        weather?.cut()
    }

    /// Takes the network away: open connections break, new ones do not come about.
    func goDown() {
        proxy?.refuseConnections()
        proxy?.cutNow()
        weather?.set { $0.isDown = true }
        weather?.cut()
    }

    /// Lets nothing through, and closes nothing.
    func stall() {
        proxy?.stall()
        weather?.set { $0.isStalled = true }
    }

    /// Lets at most so many bytes of a reply through in a second.
    func throttle(bytesPerSecond: Int) {
        proxy?.throttle(bytesPerSecond: bytesPerSecond)
        weather?.set { $0.bytesPerSecond = bytesPerSecond }
    }

    /// Is as good as a network can be again.
    func heal() {
        proxy?.heal()
        weather?.set { $0 = Weather.Faults(epoch: $0.epoch) }
    }

    /// Ends it.
    func close() { proxy?.stop() }
}
