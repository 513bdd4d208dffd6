import CampusModels
import HTTPTypes
import Hummingbird

/// The route that changes the faults at run time.
///
/// The route exists only on a server that was started with faults. The faults do not apply to it.
struct FaultRoutes {
    let injector: FaultInjector

    func add(to router: Router<APIContext>) {
        router.post("_faults") { request, context -> HTTPResponse.Status in
            let change = try await request.decodeBody(as: FaultsRequest.self, context: context)
            do {
                await injector.replace(with: try Faults(change.faults))
            } catch let error as CampusAPIError {
                throw APIFailure.badRequest(error.message)
            }
            return .noContent
        }
    }
}
