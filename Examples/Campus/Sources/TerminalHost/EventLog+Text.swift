import Backplane

extension EventLog: CustomStringConvertible {
    /// One line for each event: the time in milliseconds, the kind, the board with its enclosing
    /// boards, and a message.
    var description: String {
        guard let start = events.first?.time else { return "" }
        let rows = events.map { event in
            (
                time: "\(Int((event.time - start) / .milliseconds(1))) ms",
                kind: event.kind.description,
                place: Self.place(of: event),
                message: event.message
            )
        }
        let widths = (
            time: rows.map(\.time.count).max() ?? 0,
            kind: rows.map(\.kind.count).max() ?? 0,
            place: rows.map(\.place.count).max() ?? 0
        )
        return rows.map { row in
            let time = String(repeating: " ", count: widths.time - row.time.count) + row.time
            return "\(time)  \(row.kind.padded(to: widths.kind))  \(row.place.padded(to: widths.place))  \(row.message)"
        }
        .joined(separator: "\n")
    }

    private static func place(of event: BoardEvent) -> String {
        let place = event.instance?.description ?? event.board?.name ?? "-"
        return (event.enclosing.map(\.description) + [place]).joined(separator: "/")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: width - count) }
}
