import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneStorage

extension ChangeSender<Meeting.ID, Seat> {
    static func inMemory(for account: UserAccount<Member>) -> Self {
        let controller = account.controller
        return ChangeSender(
            { (change: TakeSeat, meeting, key) in
                try await controller.request(.take(change, at: meeting), key: "\(key)")
            },
            confirming: { seat in seat }
        )
    }
}

extension OutboxKind {
    nonisolated static let seats = OutboxKind("seats")
}

extension ChangeSender<Meeting.ID, Seat> {
    static func saved(in outbox: Outbox, for account: UserAccount<Member>) -> Self {
        let mine = outbox.account(account.user.id, through: account.controller)
        mine.start()
        return ChangeSender(
            as: .seats,
            through: mine,
            confirming: { seat in seat },
            endpoint: { (change: TakeSeat, meeting) in .take(change, at: meeting) }
        )
    }
}
