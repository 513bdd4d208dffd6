import Screens

/// A screen without sections, which takes the place of another screen.
final class EmptyScreen: DrawnScreen {
    let title = "Empty"
    let path = "/empty"
    let sections: [Section] = []

    func handle(_ event: ScreenEvent) {}
}
