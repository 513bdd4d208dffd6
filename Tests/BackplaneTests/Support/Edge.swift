@testable import Backplane

extension BoardGraph.Edge {
    init<From, To>(from: BoardID<From>, to: BoardID<To>, kind: Kind) {
        self.init(from: AnyBoardID(from), to: AnyBoardID(to), kind: kind)
    }
}
