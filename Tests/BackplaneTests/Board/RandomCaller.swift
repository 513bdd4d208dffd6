import Backplane
import BackplaneTesting
import TestSupport

/// A caller of random entry points, called by every handler, factory and `deinit` of a test.
///
/// It holds the results of the entry points, so that later calls can use and release them.
final class RandomCaller {
    /// A count of the objects that have not been released.
    final class Tally {
        private var counts: [String: Int] = [:]

        var alive: [String: Int] { counts.filter { $1 > 0 } }

        func count(_ change: Int, of object: Ghost) {
            counts["\(type(of: object)) in \(object.place)", default: 0] += change
        }
    }

    let tally: Tally
    var random: SeededGenerator
    /// The number of calls that may still be made.
    var fuel = 0
    /// The number of running factories, during which no board may be activated.
    var factories = 0
    private var depth = 0

    var root: Motherboard?
    var motherboards: [Weak<Motherboard>] = []
    var slots: [Slot<Pulse>] = []
    var pulses: [Activation<Pulse>] = []
    var registrations: [Registration] = []
    var outputs: [BoardOutputs<Pulse>] = []
    var snapshots: [BoardSnapshot] = []
    var targets: [Ghost] = []
    var owners: [Owner] = []
    var buses: [Bus<Parcel>] = []
    /// The tasks that wait for results.
    var waiters: [Task<Void, Never>] = []
    /// A closure that starts to wait for a result on the main actor.
    var awaitResult: (Motherboard, Parcel) -> Void = { _, _ in }

    init(seed: UInt64, tally: Tally) {
        random = SeededGenerator(seed: seed)
        self.tally = tally
    }

    /// Makes a few random calls.
    func call() {
        guard fuel > 0, depth < 10 else { return }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<Int.random(in: 1...2, using: &random) where fuel > 0 {
            fuel -= 1
            callOnce()
        }
    }

    /// Releases everything.
    func drop() {
        dropOfRoot()
        clear(\.slots)
        clear(\.pulses)
        clear(\.registrations)
        clear(\.outputs)
        clear(\.snapshots)
        clear(\.targets)
        clear(\.owners)
        clear(\.buses)
        for waiter in waiters { waiter.cancel() }
        clear(\.waiters)
    }

    func dropOfRoot() {
        let old = root
        root = nil
        withExtendedLifetime(old) {}
    }

    // A released object calls back. The old value is therefore released after the property has its
    // new value.

    private func clear<Element>(_ path: ReferenceWritableKeyPath<RandomCaller, [Element]>) {
        let old = self[keyPath: path]
        self[keyPath: path] = []
        withExtendedLifetime(old) {}
    }

    // MARK: Picking

    func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
    func chance(_ percent: Int) -> Bool { random.chance(percent) }

    var motherboard: Motherboard? { pick(motherboards.compactMap(\.object)) }

    var parcel: Parcel { Parcel(Int.random(in: 0..<3, using: &random), self) }
    func makeGhost(in place: StaticString = #function) -> Ghost { Ghost(self, in: place) }
    var pulse: BoardID<Pulse> { BoardID("pulse \(Int.random(in: 0..<6, using: &random))") }
    var completion: Completion { pick([.done, .cancelled, .failed(Oops())]) ?? .done }
    var verdict: GateVerdict { pick([.open, .open, .closed, .undecided]) ?? .open }

    /// Adds an element to a list, or replaces a random element if the list is full.
    func keep<Element>(_ element: Element, in path: ReferenceWritableKeyPath<RandomCaller, [Element]>) {
        if self[keyPath: path].count < 6 { return self[keyPath: path].append(element) }
        let position = Int.random(in: 0..<self[keyPath: path].count, using: &random)
        let old = self[keyPath: path][position]
        self[keyPath: path][position] = element
        withExtendedLifetime(old) {}
    }

    /// Releases a random element of a list.
    func drop<Element>(from path: ReferenceWritableKeyPath<RandomCaller, [Element]>) {
        guard !self[keyPath: path].isEmpty else { return }
        let position = Int.random(in: 0..<self[keyPath: path].count, using: &random)
        let old = self[keyPath: path].remove(at: position)
        withExtendedLifetime(old) {}
    }

    func keep(_ motherboard: Motherboard) {
        motherboards.removeAll { $0.object == nil }
        if !motherboards.contains(where: { $0.object === motherboard }) { motherboards.append(Weak(motherboard)) }
    }
}

/// A board whose input, output and command are objects that call back.
enum Pulse: BoardContract {
    typealias Input = Parcel
    typealias Output = Parcel
    typealias Command = Parcel
}

/// An action that calls back.
struct Alarm: BoardFlowAction {
    let parcel: Parcel
}

/// An object that calls back when it is released.
class Ghost {
    private(set) weak var caller: RandomCaller?
    private let tally: RandomCaller.Tally?
    let place: StaticString

    init(_ caller: RandomCaller?, in place: StaticString = #function) {
        self.caller = caller
        self.place = place
        tally = caller?.tally
        tally?.count(1, of: self)
    }

    deinit {
        tally?.count(-1, of: self)
        caller?.call()
    }

    func call() { caller?.call() }
}

/// An object with a lifetime that calls back when it is released.
final class Owner: Ghost, LifetimeOwner {
    let lifetime = Lifetime()
}

/// A message that calls back when it is compared, encoded or released.
final class Parcel: Ghost, Codable, Equatable {
    let number: Int

    init(_ number: Int, _ caller: RandomCaller?) {
        self.number = number
        super.init(caller)
    }

    convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self), nil)
    }

    func encode(to encoder: any Encoder) throws {
        call()
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    static func == (one: Parcel, other: Parcel) -> Bool {
        one.call()
        return one.number == other.number
    }
}
