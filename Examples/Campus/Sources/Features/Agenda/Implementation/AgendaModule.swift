import AgendaInterface
public import Backplane
public import CampusModels

/// The agenda feature: two boards that are one function each.
public struct AgendaModule: BoardModule {
    private let loadCourses: () async throws -> [Course]
    private let loadSchedule: (Course.ID) async throws -> [ScheduleItem]
    private let loadTodos: (Course.ID) async throws -> [Todo]

    /// The feature.
    ///
    /// - Parameters:
    ///   - loadCourses: brings the user's courses.
    ///   - loadSchedule: brings a course's appointments.
    ///   - loadTodos: brings a course's to-dos.
    public init(
        loadCourses: @escaping () async throws -> [Course],
        loadSchedule: @escaping (Course.ID) async throws -> [ScheduleItem],
        loadTodos: @escaping (Course.ID) async throws -> [Todo]
    ) {
        self.loadCourses = loadCourses
        self.loadSchedule = loadSchedule
        self.loadTodos = loadTodos
    }

    /// Registers the two boards; of each, the newest count alone counts.
    public func register(on motherboard: Motherboard) {
        motherboard.registerTask(.appointments, .latest) { _, _ in
            try await sum { try await loadSchedule($0).count }
        }
        motherboard.registerTask(.openTodos, .latest) { _, _ in
            try await sum { try await loadTodos($0).count { !$0.isDone } }
        }
    }

    private func sum(_ count: (Course.ID) async throws -> Int) async throws -> Int {
        var sum = 0
        for course in try await loadCourses() { sum += try await count(course.id) }
        return sum
    }
}
