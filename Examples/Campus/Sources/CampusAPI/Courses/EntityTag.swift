/// A tag that identifies a revision in `ETag` and `If-Match` (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as it is sent.
    let description: String

    /// Creates the tag of a revision; it is a strong tag, because a revision number is never
    /// reused.
    init(revision: Int) {
        description = "\"\(revision)\""
    }

    /// Returns whether this tag meets the condition (RFC 9110, section 13.1.1); `nil` is always
    /// met.
    func satisfies(ifMatch condition: String?) -> Bool {
        guard let condition else { return true }
        let tags = condition.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        return tags.contains { tag in tag == "*" || tag.prefix { $0 != " " } == description }
    }
}
