import BackplaneFeatures
import TestSupport
import Testing

private struct Room: Sendable {
    let name: String

    typealias ID = String
}

private struct Building: Identifiable {
    let id: String
}

private struct RoomService {
    func buildings() async throws -> [Building] { [Building(id: "b"), Building(id: "c")] }

    func room(_ id: Room.ID) async throws -> Room { Room(name: "Room \(id)") }
}

private enum Rooms {
    @MainActor final class RoomPage {
        let room: Loader<Room.ID, Room>

        init(room: @escaping (Room.ID) async throws -> Room) {
            self.room = Loader(room)
        }

        var text: String {
            switch room.state {
            case .deleted: "There is no such room any more."
            case .idle, .loading(previous: nil): "Loading …"
            case .loading(let room?), .loaded(let room): room.name
            case .failed(_, previous: nil): "The room could not be loaded."
            case .failed(_, let room?): "\(room.name) (as it was)"
            }
        }
    }
}

private enum Sections {
    @MainActor final class RoomPage {
        let room: Loader<Room.ID, Room>
        let bookings: Loader<Room.ID, [String]>

        init(
            store: RecordStore<Room.ID, Room>? = nil,
            room: @escaping (Room.ID) async throws -> Room,
            bookings: @escaping (Room.ID) async throws -> [String] = { _ in [] }
        ) {
            self.room = Loader(store: store, room)
            self.bookings = Loader(bookings)
        }
    }
}

extension Rooms {
    private struct Unreachable: Error {}

    @MainActor @Test static func `a page keeps showing its room when a reload fails`() async {
        var answers: [Room?] = [nil, Room(name: "Room b12")]
        let page = RoomPage { _ in
            guard let room = answers.popLast() ?? nil else { throw Unreachable() }
            return room
        }
        #expect(page.text == "Loading …")
        page.room.load("b12")
        await page.room.settled()
        #expect(page.text == "Room b12")
        page.room.reload()
        await page.room.settled()
        #expect(page.text == "Room b12 (as it was)")
        page.room.load("c1")
        await page.room.settled()
        #expect(page.text == "The room could not be loaded.")
    }

    @MainActor @Test static func `a deleted room disappears`() async throws {
        let page = RoomPage { _ in Room(name: "Room b12") }
        page.room.load("b12")
        await page.room.settled()
        try await page.room.mutate(Mutation(.delete) { _ in })
        #expect(page.text == "There is no such room any more.")
    }
}

extension Sections {
    @MainActor @Test(.rule("M13")) static func `only a failed section is retried`() async {
        var isDown = true
        let page = RoomPage(
            room: RoomService().room,
            bookings: { _ in
                if isDown { throw Unreachable() }
                return ["Ada, 9:00"]
            }
        )
        page.room.load("b12")
        page.bookings.load("b12")
        await page.room.settled()
        await page.bookings.settled()
        isDown = false
        let sections = LoaderGroup(page.room, page.bookings)
        if sections.anyFailed { sections.retry() }
        #expect(!page.room.state.isLoading)
        await sections.settled()
        #expect(sections.allLoaded)
    }

    @MainActor @Test static func `a list without pages is loaded as one page`() async {
        let api = RoomService()
        let buildings = PagedLoader<Never, Building> { _ in Page(try await api.buildings()) }
        buildings.load()
        await buildings.settled()
        #expect(buildings.ids == ["b", "c"])
        #expect(!buildings.hasMore)
    }

    private struct Unreachable: Error {}

    @MainActor @Test static func `a store refreshes at reconnections`() async throws {
        let api = RoomService()
        let (reconnections, network) = AsyncStream.makeStream(of: Void.self)
        let rooms = RecordStore<Room.ID, Room>(
            loadRetries: RetryPolicy(count: 3),
            staleAfter: .seconds(60)
        )
        let page = RoomPage(store: rooms, room: api.room)
        let refreshing = Task { for await _ in reconnections { rooms.refresh() } }
        page.room.load("b12")
        await page.room.settled()
        network.finish()
        await refreshing.value
        #expect(page.room.value?.name == "Room b12")
    }

    @MainActor @Test static func `loaders on any actor share a load`() async throws {
        let api = RoomService()
        let rooms = SharedLoads { (id: Room.ID) in try await api.room(id) }
        let here = Loader(sharing: rooms)
        let there = Loader(sharing: rooms)
        here.load("b12")
        there.load("b12")
        let room = try await rooms.value(for: "b12", within: .seconds(5))
        await here.settled()
        await there.settled()
        #expect(here.value?.name == room.name)
        #expect(there.value?.name == room.name)
    }
}
