import CampusModels
import HTTPTypes
import Hummingbird

/// The routes to list and end a user's sessions.
struct DeviceSessionRoutes {
    let sessions: SessionStore
    let log: SecurityLog

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("sessions") { _, context in
            JSON(try await sessions.sessions(of: context.bearer))
        }
        group.delete("sessions") { _, context -> HTTPResponse.Status in
            try await sessions.endOthers(of: context.bearer)
            log.record(.sessionEnded, user: context.user.id.rawValue, client: context.client)
            return .noContent
        }
        group.delete("sessions/:id") { _, context -> HTTPResponse.Status in
            let id = DeviceSession.ID(rawValue: try context.pathText("id"))
            guard try await sessions.end(id, of: context.bearer) else { throw APIFailure.noSuchSession(id) }
            log.record(.sessionEnded, user: context.user.id.rawValue, client: context.client)
            return .noContent
        }
    }
}
