import BackplaneNetworking
import CampusAPI
import CampusModels
import Foundation
import Testing

@testable import CampusAssembly

/// Tests of the catalog, which all windows load through one cache.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CatalogCacheTests {
    @Test func `the catalog is requested once for all sessions`() async throws {
        try await withAPI { api in
            let service = try api.service()
            let first = try await CampusSession(service: service).catalog()
            #expect(try await CampusSession(service: service).catalog() == first)
            #expect(await api.log().count { $0.contains("/catalog") } == 1)
        }
    }

    @Test func `a catalog that is loaded without async fills the cache`() async throws {
        try await withAPI { api in
            let service = try api.service()
            let loaded: [Product] = try await withCheckedThrowingContinuation { continuation in
                service.preloadCatalog { result in continuation.resume(with: result) }
            }
            #expect(!loaded.isEmpty)
            #expect(try await CampusSession(service: service).catalog() == loaded)
            #expect(await api.log().count { $0.contains("/catalog") } == 1)
        }
    }

    @Test func `a catalog that could not be loaded is requested again`() async throws {
        let faults = try Faults("fail=/catalog:1")
        try await withAPI {
            $0.faults = faults
        } _: { api in
            let session = CampusSession(service: try api.service())
            await #expect(throws: (any Error).self) { try await session.catalog() }
            #expect(try await session.catalog().isEmpty == false)
        }
    }
}
