#if DEBUG
    import BackplaneConcurrency
    import TestSupport
    import Testing

    @testable import Backplane

    /// In debug builds, a motherboard without observers prints problems.
    @Suite(.rule("B79"))
    @MainActor struct PrintedProblemTests {
        /// A mistake of a first program, with the beginning of the line that is printed.
        struct Mistake: CustomStringConvertible, Sendable {
            let description: String
            let remedy: String
            let make: @MainActor @Sendable (Motherboard) -> Void

            init(_ line: String, remedy: String, make: @escaping @MainActor @Sendable (Motherboard) -> Void) {
                description = line
                self.remedy = remedy
                self.make = make
            }
        }

        /// Returns the lines that `body` prints.
        private func lines(_ motherboard: Motherboard = .onMain(), _ body: (Motherboard) -> Void) -> [String] {
            let lines = Locked<[String]>([])
            let sink = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
            ProblemOutput.sink.withValue(sink) { body(motherboard) }
            return lines.withLock { $0 }
        }

        nonisolated static let mistakes = [
            Mistake("unhandledOutput first#1: Nothing handled the output", remedy: "register a flow from 'first'") {
                $0.activate(.first, with: 1)
                $0.sendFromFirst()
            },
            Mistake("droppedOutput first#1: The board sent an output after it had ended", remedy: "Send before") {
                let board = $0.activateFirst()
                board?.complete()
                board?.send(1)
            },
            Mistake("undeliveredCommand first: No live board", remedy: "Activate the board first") {
                $0.send(1, to: .first)
            },
            Mistake("undeliveredCommand words: No board is registered as 'words'", remedy: "Register it") {
                $0.send(fatal, to: BoardID<Commanded>("words"))
            },
            Mistake("noSuchBoard words: No board is registered as 'words'", remedy: "Register it") {
                $0.activate(.words, with: "a")
            },
            Mistake("unhandledAction -: No motherboard handled the action Wish", remedy: "Register a general flow") {
                $0.sendAction(Wish.returnHome)
            },
            Mistake("gateDenied second: Gate 'doorkeeper' did not open", remedy: "register a denial flow") {
                $0.activate(.second, with: 1)
                $0.complete(.doorkeeper)
            },
            Mistake("unhandledFailure first#1: The board failed", remedy: "register a completion flow for 'first'") {
                $0.activateFirst()?.complete(.failed(CancellationError()))
            },
            Mistake("droppedEntrance organization: The entrance sent an output", remedy: "switching: true") {
                $0.probe(.picker) { board, _ in board.send("acme") }
                $0.probe(.organization)
                $0.registerScope(.organization, enteredBy: .picker) { $0 }
                $0.activate(.organization, with: "live")
                $0.activate(.picker)
            },
        ]

        /// A command for a board that is not registered.
        nonisolated private static let fatal = 1

        private enum Commanded: BoardContract {
            typealias Command = Int
        }

        private func furnish(_ motherboard: Motherboard) -> Motherboard {
            motherboard.probe(.first)
            motherboard.probe(.second)
            motherboard.probe(.doorkeeper)
            motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .closed }
            return motherboard
        }

        @Test(arguments: mistakes)
        func `each mistake prints one line, unless there is an observer or printing is off`(
            mistake: Mistake
        ) {
            let printed = lines(furnish(.onMain()), mistake.make)
            #expect(printed.count == 1)
            #expect(printed.first?.hasPrefix("Backplane: \(mistake)") == true, "\(printed)")
            #expect(printed.first?.contains(mistake.remedy) == true, "\(printed)")
            #expect(printed.first?.contains("printsProblems: false turns it off") == true)
            let observed = furnish(.onMain())
            let events = observed.observeEvents()
            #expect(lines(observed, mistake.make) == [])
            #expect(!events.events.isEmpty)
            #expect(lines(furnish(.onMain(printsProblems: false)), mistake.make) == [])
        }

        @Test func `only the first line names the option to turn printing off, and a line has no line breaks`() {
            let printed = lines { motherboard in
                motherboard.activate(BoardID<Words>("a\nb"), with: "")
                motherboard.activate(BoardID<Words>("c"), with: "")
            }
            #expect(printed.map { $0.contains("printsProblems") } == [true, false])
            #expect(printed.first?.hasPrefix("Backplane: noSuchBoard a b: ") == true)
        }

        @Test func `a denial or a failure with a receiver is not printed`() async {
            let motherboard = furnish(.onMain())
            motherboard.registerDenialFlow { _, _ in }
            motherboard.registerCompletionFlow(.first) { _, _ in }
            let printed = lines(motherboard) {
                $0.activate(.second, with: 1)
                $0.complete(.doorkeeper)
                $0.activateFirst()?.complete(.failed(CancellationError()))
            }
            #expect(printed == [])
        }

        @Test func `a denial because the user refused or left the question is not printed`() {
            let motherboard = furnish(.onMain())
            motherboard.probe(.third)
            motherboard.probe(.confirm) { board, _ in board.send(false) }
            motherboard.gate(.third, by: .second, with: 1) { _ in .open }
            motherboard.gate(.words, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
            motherboard.probe(.words)
            let printed = lines(motherboard) {
                #expect($0.activate(.words, with: "a").state == .denied(Denial(of: .words, by: .confirm, .closed)))
                $0.activate(.third, with: 1)
                $0.complete(.doorkeeper, .cancelled)
            }
            #expect(printed == [])
        }

        @Test func `a denial that a caller awaits is not printed`() async {
            let motherboard = furnish(.onMain())
            let activation = motherboard.activate(.second, with: 1)
            let waiting = Task { await activation.settled() }
            await Task.yield()
            let printed = lines(motherboard) { $0.complete(.doorkeeper) }
            #expect(await waiting.value != .waiting)
            #expect(printed == [])
        }

        @Test func `a program without problems prints nothing`() {
            let printed = lines(furnish(.onMain())) {
                $0.registerFlow(from: .first) { _, _ in }
                $0.activateFirst()?.send(1)
                $0.send(2, to: .first)
                $0.complete(.first)
            }
            #expect(printed == [])
        }
    }

    extension Motherboard {
        /// Activates the first board and returns it.
        @discardableResult
        fileprivate func activateFirst() -> ProbeBoard<Numbers>? {
            activate(.first, with: 1)
            return existingEntry(for: BoardID.first)?.liveBoards.first
                .flatMap { ($0 as? LiveBoard<Numbers>)?.board as? ProbeBoard<Numbers> }
        }

        fileprivate func sendFromFirst() { activateFirst()?.send(1) }
    }
#endif
