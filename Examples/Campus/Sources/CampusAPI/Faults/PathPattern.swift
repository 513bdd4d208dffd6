/// A pattern for paths: `*` stands for one segment, `**` at the end for any number of them.
struct PathPattern: Hashable, Sendable {
    private let segments: [Substring]

    /// The pattern written as `text`; nil when it does not start with a slash, or has `**` before its end.
    init?(_ text: Substring) {
        let segments = text.split(separator: "/")
        guard text.hasPrefix("/"), !segments.dropLast().contains("**") else { return nil }
        self.segments = segments
    }

    func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if segments.last == "**" {
            return parts.count >= segments.count - 1 && zip(segments.dropLast(), parts).allSatisfy(Self.matches)
        }
        return parts.count == segments.count && zip(segments, parts).allSatisfy(Self.matches)
    }

    private static func matches(segment: Substring, part: Substring) -> Bool {
        segment == "*" || segment == part
    }
}
