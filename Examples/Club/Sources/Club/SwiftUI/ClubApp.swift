import BackplaneNetworking
import BackplaneSwiftUI
import Foundation
import SwiftUI

struct MeetingApp: App {
    var body: some Scene {
        WindowGroup { ClubRootView(makeWindow: ClubWindow.withOneMeeting) }
    }
}

struct ClubRootView: View {
    @Kept private var window: ClubWindow

    private let start: (ClubWindow) async -> Void

    init(makeWindow: @escaping @MainActor () -> ClubWindow, start: @escaping (ClubWindow) async -> Void = { _ in }) {
        _window = Kept(makeWindow)
        self.start = start
    }

    var body: some View {
        ClubView(window: window).task { await start(window) }
    }
}

struct ClubApp: App {
    static let club = try? Club(
        over: URLSessionTransport(),
        folder: FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    )

    var body: some Scene {
        WindowGroup {
            if let club = Self.club {
                ClubRootView(makeWindow: { club.makeWindow() }, start: club.resume)
            } else {
                Text("The files of the club cannot be opened.")
            }
        }
    }
}
