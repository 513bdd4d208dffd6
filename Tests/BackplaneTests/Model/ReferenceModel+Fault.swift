extension ReferenceModel {
    /// A set of wrong rules, for a test of whether the scripts detect them.
    struct Fault: OptionSet {
        let rawValue: Int

        /// An output counts for the run that its board answers at the delivery.
        static let outputCountsForWrongRun = Fault(rawValue: 1)
        /// Only the first gate in front of a board is asked.
        static let gateSkipped = Fault(rawValue: 2)
        /// The last of several waiters receives no verdict.
        static let entrantForgotten = Fault(rawValue: 4)
        /// An activation of a gate board for something else does not supersede its run.
        static let supersedingIgnored = Fault(rawValue: 8)
        /// The work of a question skips every gate with the same gate board.
        static let exemptionByBoard = Fault(rawValue: 16)
        /// The work of a question skips its rule, whatever the rule asks.
        static let exemptionByRule = Fault(rawValue: 32)
        /// The work of a question is asked the same question again.
        static let exemptionByNobody = Fault(rawValue: 64)
        /// A visit that a gate has denied enters nevertheless.
        static let deniedEnters = Fault(rawValue: 128)
        /// The gate board that was made for a question stays when the last waiter has left.
        static let givingUpKeepsBoard = Fault(rawValue: 256)
        /// Work that is over still has an effect.
        static let staleSends = Fault(rawValue: 512)
        static let staleActivates = Fault(rawValue: 1_024)
        static let staleIsInside = Fault(rawValue: 2_048)
        /// A detour of a gate board denies its waiters.
        static let detourSupersedes = Fault(rawValue: 4_096)
        /// The gate board of a decided question without other waiters stays.
        static let runsOwnBoardStays = Fault(rawValue: 8_192)
        /// An activation that asks after the end of the gate board joins the question.
        static let endedRunJoined = Fault(rawValue: 16_384)

        /// B56: The last of several activations that wait for a scope is lost.
        static let scopeForgetsEntrant = Fault(rawValue: 32_768)
        /// B73: The entrance that a user has opened ends with the last activation that waits.
        static let entranceOfUserCloses = Fault(rawValue: 65_536)

        /// B52: Work of a key replaces no earlier work.
        static let keysIgnored = Fault(rawValue: 131_072)
        /// B51: Callers that await a denied activation go on waiting.
        static let settledForgotten = Fault(rawValue: 262_144)
        /// B43: A restore activates a board again that is live with an equal input.
        static let equalRestored = Fault(rawValue: 524_288)

        static let all: [Fault] = (0..<20).map { Fault(rawValue: 1 << $0) }
    }
}
