import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage

/// A user of the app, with the pages that show the records.
struct User {
    let controller: AuthenticatedNetworkController
    let outbox: AccountOutbox
    /// The pages of the records that are there from the beginning.
    let pages: [String: Loader<String, TortureRecord>]
    /// The list of the records that the app creates.
    let list: PagedLoader<Int, TortureRecord>

    init(
        controller: AuthenticatedNetworkController,
        outbox: AccountOutbox,
        keyWindow: Int,
        _ ablation: Options.Ablation?
    ) {
        let forgetsIDs = ablation == .forgottenIDs
        let sender = ChangeSender(
            as: .of(.edit, keyWindow: keyWindow),
            through: outbox,
            entity: { (change: TortureChange, _: String) -> String? in change.operation.entity },
            confirming: { (record: TortureRecord) -> TortureRecord? in record },
            identity: { (record: TortureRecord) -> String? in forgetsIDs ? nil : record.id },
            endpoint: { (change: TortureChange, id: String) -> AuthenticatedIdempotentEndpoint<TortureRecord> in
                .perform(change.operation, on: id)
            }
        )
        let store = RecordStore<String, TortureRecord>(
            identity: { $0.id },
            entityTag: { $0.tag },
            sending: sender
        )
        (self.controller, self.outbox) = (controller, outbox)
        list = PagedLoader(store: store, insertsInOrder: true) { _ in Page([]) }
        let records = Self.records(of: outbox.account)
        pages = Dictionary(
            uniqueKeysWithValues: records.map { record in
                (record, Loader(store: store) { id in try await controller.request(.record(id)) })
            }
        )
    }

    /// The records that are there from the beginning, of which the first two are one entity.
    static func records(of account: String) -> [String] { (0..<4).map { "\(account)-r\($0)" } }

    static func entity(of record: String) -> String {
        record.hasSuffix("r0") || record.hasSuffix("r1") ? "shelf" : record
    }

    /// The changes that the page of a change shows as pending.
    func pending(beside operation: TortureOperation) -> [PendingMutation] {
        let record = operation.record ?? ""
        return operation.sort == .creation ? list.pending(of: record) : pages[record]?.pending ?? []
    }
}
