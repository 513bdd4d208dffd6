import Screens

/// The faces of an app, by the type of the screens that they draw.
struct WebFaces: Sendable {
    private struct Face: Sendable {
        let title: @Sendable (any Screen) -> String
        let sections: @Sendable (any Screen) -> [Section]
        let handle: @Sendable (ScreenEvent, any Screen) -> Void
    }

    private var faces: [ObjectIdentifier: Face] = [:]
    /// The sources of all templates, by name.
    private(set) var templates: [String: String] = [:]

    /// Collects the faces of an app and the host's own face.
    init(_ faces: [any WebFace] = []) {
        add(DeniedWebFace())
        for face in faces { add(face) }
    }

    private mutating func add<F: WebFace>(_ face: F) {
        faces[ObjectIdentifier(F.Model.self)] = Face(
            title: { ($0 as? F.Model).map(face.title(of:)) ?? "" },
            sections: { ($0 as? F.Model).map(face.sections(of:)) ?? [] },
            handle: { event, screen in
                guard let screen = screen as? F.Model, let known = F.Event(rawValue: event.name) else { return }
                face.handle(known, event.fields, on: screen)
            }
        )
        templates.merge(face.templates.mapValues(\.source)) { $1 }
    }

    private func face(of screen: any Screen) -> Face? { faces[ObjectIdentifier(type(of: screen))] }

    /// Returns the title of a screen; an empty text for a screen without a face.
    func title(of screen: any Screen) -> String { face(of: screen)?.title(screen) ?? "" }

    /// Returns the parts of a screen; none for a screen without a face.
    func sections(of screen: any Screen) -> [Section] { face(of: screen)?.sections(screen) ?? [] }

    /// Passes an event to its screen; an unknown event is ignored, because events come from
    /// outside.
    func handle(_ event: ScreenEvent, on screen: any Screen) { face(of: screen)?.handle(event, screen) }
}
