public import Backplane

/// An event that a test expects on a ``TestMotherboard``.
///
/// Most events are written with a board's ID. The board's contract decides which values may follow:
/// a value to compare with, a closure that checks the value, or nothing to accept any value. To
/// expect any kind of event, with any value, use `event(kind, id)`.
///
/// ```swift
/// test.expect(
///     .activated(Course.id, with: "abc123"),
///     .output(Course.id) { if case .opened(let lesson) = $0 { lesson.isFirst } else { false } },
///     .completed(Course.id)
/// )
/// ```
///
/// An expected event matches on every motherboard in the tree, unless ``inside(_:)`` names the
/// place.
public struct ExpectedEvent {
    let kind: BoardEvent.Kind
    private let board: String?
    private let plainText: String
    private let isExpected: (Any) -> Bool
    private var path: [String]?

    init(
        _ kind: BoardEvent.Kind,
        board: String? = nil,
        text: String,
        isExpected: @escaping (Any) -> Bool = { _ in true }
    ) {
        self.kind = kind
        self.board = board
        plainText = text
        self.isExpected = isExpected
    }

    /// Returns the same event, expected inside these boards, the outermost first.
    ///
    /// The event must happen inside exactly these boards.
    ///
    /// ```swift
    /// test.expect(.activated(Payment.id).inside(Shop.id, Checkout.id))
    /// ```
    public func inside<each Contract>(_ boards: repeat BoardID<each Contract>) -> ExpectedEvent {
        var names: [String] = []
        for board in repeat each boards { names.append(board.name) }
        var event = self
        event.path = names
        return event
    }

    /// The event as Swift source.
    package var text: String {
        guard let path else { return plainText }
        return "\(plainText).inside(\(path.map { BoardText($0).description }.joined(separator: ", ")))"
    }

    func matches(_ recorded: RecordedEvent) -> Bool {
        let event = recorded.event
        guard event.kind == kind, board == nil || event.board?.name == board else { return false }
        if let path, event.enclosing.map(\.id.name) != path { return false }
        return isExpected(recorded.payload)
    }
}
