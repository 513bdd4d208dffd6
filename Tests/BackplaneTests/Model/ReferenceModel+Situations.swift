extension ReferenceModel {
    /// Wrong rules, to show that the scripts tell them from the right ones.
    struct Fault: OptionSet {
        let rawValue: Int

        /// An output counts for the run that its board answers when the output is delivered.
        static let outputCountsForWrongRun = Fault(rawValue: 1)
        /// Only the first gate in front of a board is asked.
        static let gateSkipped = Fault(rawValue: 2)
        /// The last of several waiters hears no verdict.
        static let entrantForgotten = Fault(rawValue: 4)
        /// The activation of a front's board for something else leaves its run alone.
        static let supersedingIgnored = Fault(rawValue: 8)
    }

    /// Situations that a journal does not show, to see whether the scripts lead to all of them.
    enum Situation: CaseIterable {
        case severalGates, waitsAtSecondGate, generalGateLeftOut, nothingAsked, gateReplaced
        case runSharedByTwoRules, runSharedByTwoLevels, frontOnOuterMotherboard
        case exempt, circleAtNewRun, circleAtJoinedRun
        case frontWaits, gateOpenedForFront, frontDenied, frontGivenUp, frontLeft, frontStays
        case entrantLeft, lastEntrantLeft, givenUpByName
        case someRemainUndecided, runsOwnBoardDone, answeredLate, outputForRunThatIsOver
    }
}
