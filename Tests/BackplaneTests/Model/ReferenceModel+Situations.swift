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

    /// A situation that a journal does not show, for a test of whether the scripts lead to it.
    enum Situation: CaseIterable {
        case severalGates, waitsAtSecondGate, generalGateLeftOut, nothingAsked, gateReplaced
        case runSharedByTwoRules, runSharedByTwoLevels, dependentQuestionShared, gateBoardOnOuterMotherboard
        case severalQuestionsAtBoard, askedAgainBeforeDenial
        // The work of a question, which skips its gate.
        case workSkips, workInsideSkips, workOfInnerQuestionSkips, gateBoardOfWorkSkips, workSkipsWhileSuperseded
        case workSkipsBeforeDenial
        // The work of a question, which is asked another question of the same gate board.
        case workAskedByOtherRule, workAskedOtherInput, workAskedOtherQuestionAfterEnd, workAskedAgainAfterAnswer
        case gateOfItself, cycleOfGates, cycleOfWork, cycleOfWaitingWork, longCycle
        case gateBoardWaits, gateOpenedForGateBoard, gateBoardDenied, gateBoardGivenUp, gateBoardLeft, gateBoardStays
        case entrantLeft, lastEntrantLeft, givenUpByName
        case superseded, answeredBeforeSuperseding, detour
        // Work that does not stop when its activation is superseded.
        case staleSend, staleNext, staleTell, staleEnd, staleBinding, staleInside, staleWork, workReplaced
        case restoredByAnother
        // Scopes.
        case scopeEntered, scopeReplaced, scopeEndedWhileEntered, enteredWithoutEntrant, entranceDropped
        case entranceDroppedAtGate, entranceReplacedAtGate, insideCompleted, restoredMidway, entranceOfUser,
            entranceWithdrawn, scopeRestored
        case someRemainUndecided, runsOwnBoardDone, answeredLate, outputForRunThatIsOver
    }

    /// Notes how a visit skips the gate of an open run whose work it is.
    func noteSkip(of run: Int, by visit: Int) {
        situations.insert(.workSkips)
        if visits[visit].motherboard != runs[run].question.home { situations.insert(.workInsideSkips) }
        if !visits[visit].actsFor.contains(run) { situations.insert(.workOfInnerQuestionSkips) }
        if visits[visit].standsFor != nil { situations.insert(.gateBoardOfWorkSkips) }
        if runs[run].isSuperseded { situations.insert(.workSkipsWhileSuperseded) }
        if let board = runs[run].board, boards[board].phase != .live { situations.insert(.workSkipsBeforeDenial) }
    }

    /// Notes which questions of the same gate board the asked visit is the work of.
    func noteQuestion(_ question: Question, askedBy visit: Int) {
        for run in causes(of: visit) where runs[run].question.gateBoard == question.gateBoard {
            let other = runs[run].question
            if other == question { situations.insert(.workAskedAgainAfterAnswer) }
            guard isOpen(run), other != question else { continue }
            situations.insert(other.rule == question.rule ? .workAskedOtherInput : .workAskedByOtherRule)
            if let board = runs[run].board, boards[board].phase != .live {
                situations.insert(.workAskedOtherQuestionAfterEnd)
            }
        }
    }

    func noteJoining(_ run: Int, at gate: Gate, by visit: Int) {
        let others = runs[run].waiters
        if others.contains(where: { visits[$0].gate?.number != gate.number }) {
            situations.insert(.runSharedByTwoRules)
        }
        if others.contains(where: { visits[$0].motherboard != visits[visit].motherboard }) {
            situations.insert(.runSharedByTwoLevels)
        }
        if case .table = gate.setting.question { situations.insert(.dependentQuestionShared) }
    }

    func noteStart(of question: Question) {
        for run in runs.indices where isOpen(run) && runs[run].question.gateBoard == question.gateBoard {
            situations.insert(runs[run].question == question ? .askedAgainBeforeDenial : .severalQuestionsAtBoard)
        }
    }

    func noteCycle(_ cycle: [Int], of visit: Int) {
        if cycle.count > 3 { situations.insert(.longCycle) }
        // The work of one question waits for another one that is not its own.
        let isJoined = zip(cycle, cycle.dropFirst()).dropLast().contains { run, next in
            visits[runs[run].gateBoardVisit].run != next && !causes(of: runs[next].firstWaiter).contains(run)
        }
        if isJoined { situations.insert(.cycleOfWaitingWork) }
        if visits[visit].standsFor == nil {
            situations.insert(.cycleOfWork)
        } else {
            situations.insert(cycle.count == 2 ? .gateOfItself : .cycleOfGates)
        }
    }
}
