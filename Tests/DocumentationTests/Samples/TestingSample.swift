// The samples of Sources/BackplaneTesting/BackplaneTesting.docc/BackplaneTesting.md.

import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@MainActor @Test func `a course is in the loading state until its load finishes`() async {
    let latch = AsyncLatch()
    let course = Loader<String, String> { id in
        await latch.wait()
        return "Course \(id)"
    }
    course.load("abc123")
    await latch.arrivals(atLeast: 1)
    #expect(course.state.isLoading)

    latch.open()
    await course.settled()
    #expect(course.value == "Course abc123")
}

@Test func `a request without a response fails at its timeout`() async throws {
    struct SlowServer: NetworkTransport {
        let clock: ManualClock
        func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
            try await clock.sleep(for: .seconds(60))
            return (HTTPResponse(status: .ok), Data())
        }
    }
    let clock = ManualClock()
    var options = NetworkOptions()
    options.timeout = .seconds(30)
    options.clock = clock
    let url = try #require(URL(string: "https://api.example.com"))
    let server = SlowServer(clock: clock)
    let service = try NonAuthenticatedNetworkController(baseURL: url, transport: server, options: options)

    let request = Task { try await service.request(NonAuthenticatedEndpoint<Void>(.get("courses"))) }
    await clock.sleepers(atLeast: 2)  // the server and the timeout
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: NetworkError.self) { try await request.value }
    #expect(error?.code == .timedOut)
}
