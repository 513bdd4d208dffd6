/// The app as it was, without boards.
enum Before {}

/// The app after one screen has become a board.
enum Step1 {}

/// The app after a flow of two screens has become boards.
enum Step2 {}

/// The app after links open its screens.
enum Step3 {}

#if canImport(UIKit)
    // A step does not change these parts of the earlier steps.

    extension Step2 {
        typealias OrdersViewController = Step1.OrdersViewController
    }

    extension Step3 {
        typealias OrdersViewController = Step1.OrdersViewController
        typealias OrdersModule = Step2.OrdersModule
    }
#endif
