import Screens

/// The faces of an app, by the type of the screens that they show.
struct TerminalFaces: Sendable {
    private struct Face: Sendable {
        let title: @Sendable (any Screen) -> String
        let sections: @Sendable (any Screen) -> [TextSection]
        let handle: @Sendable (ScreenEvent, any Screen) -> Void
    }

    private var faces: [ObjectIdentifier: Face] = [:]

    init(_ faces: [any TerminalFace] = []) {
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

    func title(of screen: any Screen) -> String {
        ModelText.line(face(of: screen)?.title(screen) ?? (screen as? any DrawnScreen)?.title ?? "")
    }

    func sections(of screen: any Screen) -> [TextSection] {
        if let face = face(of: screen) {
            return face.sections(screen).map { TextSection($0.id, $0.lines.map(ModelText.line)) }
        }
        let sections = (screen as? any DrawnScreen)?.sections ?? []
        return sections.map { TextSection($0.id, ModelText.lines(of: $0.model())) }
    }

    func handle(_ event: ScreenEvent, on screen: any Screen) {
        if let face = face(of: screen) {
            face.handle(event, screen)
        } else {
            (screen as? any DrawnScreen)?.handle(event)
        }
    }
}
