import SwiftUI

extension ShapeHost {
    /// Draws again until a condition holds; the time limit of the test ends the wait.
    func update(until isDone: (ShapeHost) -> Bool) async {
        while !isDone(self), !Task.isCancelled {
            await Task.yield()
            update()
        }
    }

    /// Draws again until these texts are visible.
    func show(_ texts: [String]) async {
        await update(until: { $0.texts == texts })
    }
}
