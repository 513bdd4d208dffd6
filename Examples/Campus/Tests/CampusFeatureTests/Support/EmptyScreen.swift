import Screens

/// Something else.
final class EmptyScreen: Screen {
    let title = "Empty"
    let path = "/empty"
    let sections: [Section] = []

    func handle(_ event: ScreenEvent) {}
}
