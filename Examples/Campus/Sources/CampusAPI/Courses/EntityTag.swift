/// What tells the revisions of one thing apart in `ETag` and `If-Match` (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as it is sent.
    let description: String

    /// The tag of a revision; a strong one, for a revision is never used again.
    init(revision: Int) {
        description = "\"\(revision)\""
    }

    /// Whether the condition holds for what has this tag (RFC 9110, section 13.1.1); without a condition it does.
    func satisfies(ifMatch condition: String?) -> Bool {
        guard let condition else { return true }
        let tags = condition.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        return tags.contains { tag in tag == "*" || tag.prefix { $0 != " " } == description }
    }
}
