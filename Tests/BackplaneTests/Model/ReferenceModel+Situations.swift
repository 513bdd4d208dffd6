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
    }

    /// A situation that a journal does not show, for a test of whether the scripts lead to it.
    enum Situation: CaseIterable {
        case severalGates, waitsAtSecondGate, generalGateLeftOut, nothingAsked, gateReplaced
        case runSharedByTwoRules, runSharedByTwoLevels, gateBoardOnOuterMotherboard
        case exempt, circleAtNewRun, circleAtJoinedRun
        case gateBoardWaits, gateOpenedForGateBoard, gateBoardDenied, gateBoardGivenUp, gateBoardLeft, gateBoardStays
        case entrantLeft, lastEntrantLeft, givenUpByName
        case someRemainUndecided, runsOwnBoardDone, answeredLate, outputForRunThatIsOver
    }
}
