/// The loads under way, and which of their responses may still be stored.
struct LoadLedger: Sendable {
    private var loads: [ResponseKey: Set<Int>] = [:]
    private var last = 0

    /// Begins a load and returns its number; later loads have higher ones.
    mutating func begin(_ key: ResponseKey) -> Int {
        last += 1
        loads[key, default: []].insert(last)
        return last
    }

    /// Whether nothing has made the response of a load obsolete.
    func isCurrent(_ load: Int, of key: ResponseKey) -> Bool { loads[key]?.contains(load) == true }

    /// Notes that the response of a load has arrived: earlier loads of the URL must not replace it.
    mutating func receive(_ load: Int, of key: ResponseKey) {
        guard let left = loads[key], left.contains(load) else { return }
        loads[key] = left.filter { $0 >= load }
    }

    /// Ends a load.
    mutating func end(_ load: Int, of key: ResponseKey) {
        loads[key]?.remove(load)
        if loads[key]?.isEmpty == true { loads[key] = nil }
    }

    /// Makes the responses of the loads that match obsolete.
    mutating func revoke(where isObsolete: (ResponseKey) -> Bool) {
        for key in loads.keys where isObsolete(key) { loads[key] = nil }
    }
}
