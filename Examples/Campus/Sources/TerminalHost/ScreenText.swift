import Screens

/// A screen as text, with its title and path, and then the contents of each section.
struct ScreenText: CustomStringConvertible {
    private let title: String
    private let place: String
    private let sections: [TextSection]

    init(_ screen: any Screen, faces: TerminalFaces, isModal: Bool, bar: [BarEntry]) {
        title = faces.title(of: screen)
        place = screen.path + (isModal ? ", a dialog" : "")
        let links = bar.map { "\($0.title): \($0.path)".withoutControlCharacters }
        sections = faces.sections(of: screen) + [TextSection("bar", links)]
    }

    /// The underlined title, and then the lines of each section that is not empty, below its ID.
    var description: String {
        let heading = "\(title)  (\(place))"
        var lines = [heading, String(repeating: "=", count: heading.count)]
        for section in sections where !section.lines.isEmpty {
            lines.append("[\(section.id)]")
            lines += section.lines.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
