public import Backplane

/// Something that a test says happens on a ``TestMotherboard``.
///
/// Written with the identity of a board, whose contract says what may follow: a value to compare with, a closure that looks at
/// the value, or nothing where any will do.
///
/// ```swift
/// test.expect(
///     .activated(.course, with: "abc123"),
///     .output(.course) { if case .opened(let lesson) = $0 { lesson.isFirst } else { false } },
///     .completed(.course)
/// )
/// ```
///
/// An event is found wherever it happens, in nested motherboards too, unless ``inside(_:)`` says where.
public struct ExpectedEvent: CustomStringConvertible {
    let kind: BoardEvent.Kind
    private let board: String?
    private let text: String
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
        self.text = text
        self.isExpected = isExpected
    }

    /// The same event, but only where it happens inside these boards, the outermost first, and no others.
    ///
    /// ```swift
    /// test.expect(.activated(.payment).inside(.shop, .checkout))
    /// ```
    public func inside<each Contract>(_ boards: repeat BoardID<each Contract>) -> ExpectedEvent {
        var names: [String] = []
        for board in repeat each boards { names.append(board.name) }
        var event = self
        event.path = names
        return event
    }

    /// The event as it is written in a test.
    public var description: String {
        guard let path else { return text }
        return "\(text).inside(\(path.map { BoardText($0).description }.joined(separator: ", ")))"
    }

    func matches(_ recorded: RecordedEvent) -> Bool {
        let event = recorded.event
        guard event.kind == kind, board == nil || event.board?.name == board else { return false }
        if let path, event.enclosing.map(\.id.name) != path { return false }
        return isExpected(recorded.payload)
    }
}
