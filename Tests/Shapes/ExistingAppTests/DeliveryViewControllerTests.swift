import BackplaneFeatures
import BackplaneTesting
import Foundation
import Testing
import UIKit

@testable import ExistingApp

@Suite(.timeLimit(.minutes(5))) @MainActor struct DeliveryViewControllerTests {
    @MainActor private final class Server {
        let answer = AsyncLatch()
        var isDown = false
        private(set) var day = "Monday"
        private(set) var requests = 0

        func load(_ id: Order.ID) async throws -> String {
            if isDown { throw URLError(.notConnectedToInternet) }
            return day
        }

        func postpone(_ id: Order.ID) async throws {
            requests += 1
            await answer.wait()
            if isDown { throw URLError(.notConnectedToInternet) }
            day = "Tuesday"
        }
    }

    private let server = Server()
    private let controller: DeliveryViewController

    init() {
        controller = DeliveryViewController(id: 1042, load: server.load, postpone: server.postpone)
    }

    /// Waits until the controller shows the end of its load.
    private func settleLoad() async {
        await controller.delivery.settled()
        await settle()
    }

    @Test func `a delivery is loaded, fails and is loaded again`() async {
        server.isDown = true
        controller.loadViewIfNeeded()
        #expect(controller.title == "Loading …")
        await settleLoad()
        #expect(controller.title == "Not loaded")
        server.isDown = false
        controller.retryTapped()
        await settleLoad()
        #expect(controller.title == "Monday")
    }

    @Test func `a delivery is postponed once, and then loaded again`() async {
        controller.loadViewIfNeeded()
        await settleLoad()
        controller.postponeTapped()
        controller.postponeTapped()
        await server.answer.arrivals(atLeast: 1)
        await settle()
        #expect(!controller.view.isUserInteractionEnabled)
        server.answer.open()
        await waitUntil { !controller.performer.isPerforming }
        await settleLoad()
        #expect(controller.title == "Tuesday")
        #expect(controller.view.isUserInteractionEnabled)
        #expect(server.requests == 1)
    }

    @Test func `a delivery that is not postponed says so`() async {
        controller.loadViewIfNeeded()
        await settleLoad()
        server.isDown = true
        server.answer.open()
        controller.postponeTapped()
        await waitUntil { controller.performer.error != nil }
        await settle()
        #expect(controller.title == "Not postponed")
    }

    @Test func `a controller is released after it has left the screen`() {
        var left: DeliveryViewController? = DeliveryViewController(
            id: 1042,
            load: server.load,
            postpone: server.postpone
        )
        left?.loadViewIfNeeded()
        weak let controller = left
        left = nil
        #expect(controller == nil)
    }
}
