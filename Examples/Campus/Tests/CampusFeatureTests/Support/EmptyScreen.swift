import Screens

/// A screen without a face, which takes the place of another screen.
final class EmptyScreen: Screen {
    let path = "/empty"
}
