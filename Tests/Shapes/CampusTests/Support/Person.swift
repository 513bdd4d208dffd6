import BackplaneTesting
import CampusAppleUI
import CampusAssembly
import Foundation
import SwiftUI

/// A user in front of one window of the app, over fixed data.
@MainActor final class Person {
    static let course = "Analytical Engines From punched cards to programs."
    static let compose = "Write a message To tutors and fellow students."

    let campus: Campus
    let host: ShapeHost
    /// The events for statistics so far.
    var events: [String] { log.events }
    private let log = Log()

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - service: the service of the app; by default with a user who is signed in.
    ///   - link: a link that reaches the app's delegate before the first window.
    init(service: any CampusService = CannedService(isSignedIn: true), opening link: URL? = nil) {
        let campus = Campus(service: service, clock: ManualClock()) { [log] in log.events.append("\($0)") }
        if let link { campus.open(link) }
        self.campus = campus
        host = ShapeHost { CampusView(campus) }
    }

    /// Draws the window again until a condition holds, or the test is cancelled.
    func waits(until isDone: (ShapeHost) -> Bool) async {
        while !isDone(host), !Task.isCancelled {
            await Task.yield()
            host.update()
        }
    }

    /// Waits until a text is visible.
    func sees(_ text: String) async {
        await waits { $0.texts.contains(text) }
    }

    /// Waits until a text is not visible.
    func misses(_ text: String) async {
        await waits { !$0.texts.contains(text) }
    }

    /// Waits until a button is enabled, and taps it.
    func taps(_ label: String) async {
        await waits { $0.isEnabled(label) == true }
        host.tap(label)
    }

    func signsIn() async {
        await waits { $0.isEnabled("Sign in") != nil }
        host.type("ada@campus.example", into: "E-mail address")
        host.type("correct horse", into: "Password")
        await taps("Sign in")
    }
}

private final class Log {
    var events: [String] = []
}
