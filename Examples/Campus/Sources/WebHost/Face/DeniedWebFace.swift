import Screens

/// The look of a ``DeniedScreen`` in a browser, which every app has.
struct DeniedWebFace: WebFace {
    enum Event: String, CaseIterable {
        case home
    }

    struct Message: Sendable {
        let message: String
    }

    /// No templates, because `host-denied` is one of the host's own.
    let templates: [String: WebTemplate] = [:]

    func title(of denied: DeniedScreen) -> String { denied.title }

    func sections(of denied: DeniedScreen) -> [Section] {
        [Section(id: "denied", template: "host-denied") { Message(message: denied.message) }]
    }

    func handle(_ event: Event, _ form: EventFields, on denied: DeniedScreen) {
        switch event {
        case .home: denied.goHome()
        }
    }
}
