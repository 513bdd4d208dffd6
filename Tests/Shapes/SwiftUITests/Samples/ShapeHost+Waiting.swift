import SwiftUI

extension ShapeHost {
    /// Draws again until a condition holds, and fails if it never does.
    func update(until isDone: (ShapeHost) -> Bool) async {
        await yield {
            update()
            return isDone(self)
        }
    }

    /// Draws again until these texts are visible.
    func show(_ texts: [String]) async {
        await update(until: { $0.texts == texts })
    }
}
