/// A pattern for paths: `*` matches one segment, `**` at the end matches any number of segments.
struct PathPattern: Hashable, Sendable {
    private let segments: [Substring]

    /// Creates a pattern from `text`.
    ///
    /// It is `nil` if the text does not start with a slash, or has `**` before its end.
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
