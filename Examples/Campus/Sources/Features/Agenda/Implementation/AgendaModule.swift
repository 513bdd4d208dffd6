import AgendaInterface
public import Backplane
public import CampusModels

/// The agenda feature, which consists of two task boards.
public struct AgendaModule: BoardModule {
    private let loadCourses: () async throws -> [Course]
    private let loadSchedule: (Course.ID) async throws -> [ScheduleItem]
    private let loadTodos: (Course.ID) async throws -> [Todo]

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - loadCourses: loads the user's courses.
    ///   - loadSchedule: loads the appointments of a course.
    ///   - loadTodos: loads the to-dos of a course.
    public init(
        loadCourses: @escaping () async throws -> [Course],
        loadSchedule: @escaping (Course.ID) async throws -> [ScheduleItem],
        loadTodos: @escaping (Course.ID) async throws -> [Todo]
    ) {
        self.loadCourses = loadCourses
        self.loadSchedule = loadSchedule
        self.loadTodos = loadTodos
    }

    /// Registers the two boards.
    ///
    /// A new activation of a board cancels the count that is still running.
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
