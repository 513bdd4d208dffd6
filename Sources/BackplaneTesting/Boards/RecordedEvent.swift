import Backplane

/// An event that happened, with its payload.
struct RecordedEvent {
    let event: BoardEvent
    let payload: Any

    /// The event as a test would write its expectation.
    var text: String {
        let path = event.enclosing.map { BoardText($0.id.name).description }.joined(separator: ", ")
        return expectation + (path.isEmpty ? "" : ".inside(\(path))")
    }

    /// The event's message, if the kind of event asks for action.
    var remedy: String? {
        let kinds: [BoardEvent.Kind] = [
            .unhandledOutput, .droppedOutput, .unhandledAction, .noSuchBoard, .gateDenied, .leaked, .turnBudgetExceeded,
        ]
        return kinds.contains(event.kind) ? event.message : nil
    }

    private var expectation: String {
        switch event.kind {
        case .action, .unhandledAction: ".\(event.kind)(\(ValueText(qualified: payload).text))"
        case .activated, .waiting: ".\(event.kind)(\(board)\(value(", with: ")))"
        case .output, .unhandledOutput, .command: ".\(event.kind)(\(board)\(value(", ")))"
        case .completed: completion
        default: ".event(.\(event.kind), \(board))"
        }
    }

    private var completion: String {
        switch payload as? Completion {
        case .cancelled: ".cancelled(\(board))"
        case .failed(let error): ".failed(\(board), \(ValueText(qualified: error).text))"
        case .done, nil: ".completed(\(board))"
        }
    }

    private var board: String { event.board.map { BoardText($0.name).description } ?? "nil" }

    private func value(_ separator: String) -> String {
        payload is Void ? "" : separator + ValueText(payload).text
    }
}

/// A board ID as Swift source: `.searchField` for the name "searchField" or "search-field".
struct BoardText: CustomStringConvertible {
    let description: String

    init(_ name: String) {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        description = "." + (words.first ?? "") + rest.joined()
    }
}
