public import Backplane
public import CampusModels

/// What the campus shop has, for anybody to see.
public enum Catalog: BoardContract {
    /// The product somebody wants to see.
    public typealias Output = Product.ID
}

extension BoardID<Catalog> {
    /// The catalog board.
    public static var catalog: Self { "catalog" }
}
