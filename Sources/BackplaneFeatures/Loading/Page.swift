/// A part of a list, with the cursor of the next part.
///
/// It decodes an object with the list `items` and an optional cursor `next`. Map a response of
/// another form to a page.
public struct Page<Cursor, Item> {
    /// The items, in the order of the list.
    public var items: [Item]
    /// The cursor of the next page, or `nil` at the end of the list.
    public var next: Cursor?

    /// Creates a page of these items; without `next`, it is the last page of the list.
    public init(_ items: [Item], next: Cursor? = nil) {
        self.items = items
        self.next = next
    }
}

extension Page: Sendable where Cursor: Sendable, Item: Sendable {}
extension Page: Decodable where Cursor: Decodable, Item: Decodable {}
