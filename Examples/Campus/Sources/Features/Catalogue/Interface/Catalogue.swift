public import Backplane
public import CampusModels

/// What the campus shop has, for anybody to see.
public enum Catalogue: BoardContract {
    /// The product somebody wants to see.
    public typealias Output = Product.ID
}

extension BoardID<Catalogue> {
    /// The catalogue board.
    public static var catalogue: Self { "catalogue" }
}
