/// A part of a list, and where the part after it begins.
public struct Page<Cursor, Item> {
    /// The items, in the order of the list.
    public var items: [Item]
    /// What to ask for the next page with; nil at the end of the list.
    public var next: Cursor?

    /// A page of these items, the last of its list unless `next` says how it goes on.
    public init(_ items: [Item], next: Cursor? = nil) {
        self.items = items
        self.next = next
    }
}

extension Page: Sendable where Cursor: Sendable, Item: Sendable {}
