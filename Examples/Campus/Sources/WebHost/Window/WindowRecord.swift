import Backplane

/// What of a window is stored, so that it can come back: not what it shows, but what its boards were activated with and the
/// order in which their screens lay.
struct WindowRecord: Codable, Equatable {
    /// A screen's place.
    struct Place: Codable, Equatable {
        let path: String
        let isModal: Bool
    }

    let session: SessionID
    /// What the window's page sends along; nothing that anybody could come in with.
    let csrf: Secret
    /// Whether its page is known to run the script.
    let isScripted: Bool
    /// The number of the screen that the page shows, and its path.
    let screen: UInt32
    let path: String
    /// The path that a page without script was last sent to.
    let resumedPath: String?
    /// The screens, the root first; none as long as somebody waits at a gate, whose screen is in the way.
    let stack: [Place]
    /// What is live on the motherboard.
    let boards: BoardSnapshot
}

extension BoardSnapshot {
    /// Whether anything waits at a gate.
    var isWaiting: Bool { boards.contains(where: \.isAnyWaiting) }
}

extension BoardSnapshot.Entry {
    fileprivate var isAnyWaiting: Bool { isWaiting || inside.contains(where: \.isAnyWaiting) }
}
