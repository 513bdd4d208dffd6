#if canImport(SwiftUI)
    import BackplaneNetworking
    import BackplaneStorage
    import CampusAssembly
    import CampusDrafts
    import Foundation

    extension Campus {
        /// Creates the app with the API at an address.
        ///
        /// Tokens, drafts and unsent changes are in files in Application Support. An app for a
        /// store keeps its tokens in a `KeychainTokenVault`.
        ///
        /// - Parameter api: the root of the API's URLs. It must be https, unless the API runs on
        ///   this machine.
        /// - Precondition: `api` is a valid address.
        public convenience init(api: String) {
            let (vault, drafts, outbox) = Self.storage()
            let service = Self.service(at: api)
            service.preloadCatalog()
            let session = CampusSession(service: service, vault: vault, outbox: outbox, log: { print($0) })
            self.init(service: session, drafts: drafts, onAnalyticsEvent: { print("analytics:", $0) })
        }

        private static func service(at api: String) -> NonAuthenticatedNetworkController {
            guard let url = URL(string: api) else { preconditionFailure("'\(api)' is no URL of an API.") }
            do {
                return try NonAuthenticatedNetworkController(api: url, over: URLSessionTransport())
            } catch {
                preconditionFailure("'\(api)' cannot be the URL of the API: \(error)")
            }
        }

        /// Opens the stores in the app's files, or stores that end with the app if that fails.
        private static func storage() -> (vault: any TokenVault, drafts: DraftStore, outbox: Outbox?) {
            do {
                let folder = try Self.folder()
                let file = folder.appending(path: "campus.sqlite")
                return (
                    try SQLiteTokenVault(file: file, account: "app"), DraftStore(file: file),
                    try Outbox.campus(file: folder.appending(path: "outbox.sqlite"))
                )
            } catch {
                print("Sign-ins, drafts and unsent changes end with the app: \(error)")
                return (MemoryTokenVault(), DraftStore(), nil)
            }
        }

        private static func folder() throws -> URL {
            let support = try FileManager.default.url(
                for: .applicationSupportDirectory,
                in: .userDomainMask,
                appropriateFor: nil,
                create: true
            )
            let folder = support.appending(path: "Campus")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
    }
#endif
