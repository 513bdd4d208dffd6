import CampusModels
import HTTPTypes
import Hummingbird

/// The routes to list and end a user's sessions.
struct UserSessionRoutes {
    let sessions: SessionStore

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("sessions") { _, context in
            JSON(try await sessions.sessions(of: context.bearer))
        }
        group.delete("sessions") { _, context -> HTTPResponse.Status in
            try await sessions.endOthers(of: context.bearer)
            return .noContent
        }
        group.delete("sessions/:id") { _, context -> HTTPResponse.Status in
            let id = UserSession.ID(rawValue: try context.parameters.require("id"))
            guard try await sessions.end(id, of: context.bearer) else { throw APIFailure.noSuchSession(id) }
            return .noContent
        }
    }
}
