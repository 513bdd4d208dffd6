import Screens

/// The faces of an app, by the type of the screens that they show.
struct TerminalFaces: Sendable {
    private struct Face: Sendable {
        let title: @Sendable (any Screen) -> String
        let sections: @Sendable (any Screen) -> [TextSection]
        let handle: @Sendable (ScreenEvent, any Screen) -> Void
    }

    private var faces: [ObjectIdentifier: Face] = [:]

    /// Collects the faces of an app and the host's own face.
    init(_ faces: [any TerminalFace] = []) {
        add(DeniedTerminalFace())
        for face in faces { add(face) }
    }

    private mutating func add<F: TerminalFace>(_ face: F) {
        faces[ObjectIdentifier(F.Model.self)] = Face(
            title: { ($0 as? F.Model).map(face.title(of:)) ?? "" },
            sections: { ($0 as? F.Model).map(face.sections(of:)) ?? [] },
            handle: { event, screen in
                guard let screen = screen as? F.Model, let known = F.Command(rawValue: event.name) else { return }
                face.handle(known, event.fields, on: screen)
            }
        )
    }

    private func face(of screen: any Screen) -> Face? { faces[ObjectIdentifier(type(of: screen))] }

    /// Returns the title of a screen; an empty text for a screen without a face.
    func title(of screen: any Screen) -> String { (face(of: screen)?.title(screen) ?? "").withoutControlCharacters }

    /// Returns the parts of a screen; none for a screen without a face.
    func sections(of screen: any Screen) -> [TextSection] {
        let sections = face(of: screen)?.sections(screen) ?? []
        return sections.map { TextSection($0.id, $0.lines.map(\.withoutControlCharacters)) }
    }

    /// Passes a command to its screen; an unknown command is ignored, because commands come from
    /// outside.
    func handle(_ event: ScreenEvent, on screen: any Screen) { face(of: screen)?.handle(event, screen) }
}
