import Foundation
import Testing

@testable import Backplane

@MainActor
struct EventLogTests {
    let motherboard = Motherboard.onMain()

    private func lines(_ log: EventLog) -> [String] {
        log.entries.map { entry in
            entry.description.replacing(#/"time":[0-9.e-]+/#, with: #""time":0"#)
        }
    }

    @Test func `B45: an entry is a line of JSON with what was sent`() async throws {
        struct Opaque {}
        enum Opaques: BoardContract { typealias Input = Opaque }
        var log = EventLog()
        motherboard.record(withholding: .words) { log.entries.append($0) }
        motherboard.probe(.first) { board, _ in board.motherboard.activate(.words, with: "secret") }
        motherboard.probe(.words) { board, input in board.send(input) }
        motherboard.probe(BoardID<Opaques>("opaque"))
        motherboard.probe(.second) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.registerFlowSteps(.first ->>> .second)
        let first = motherboard.activate(.first, with: 1)
        motherboard.activate(BoardID<Opaques>("opaque"), with: Opaque())
        first.send(3)
        motherboard.activate(.second, with: 2)
        first.complete(.failed(Oops()))
        #expect(
            lines(log) == [
                #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
                #"{"board":"words","inside":["first#1"],"kind":"activated","number":2,"time":0,"unwritten":"withheld"}"#,
                #"{"board":"words","inside":["first#1"],"kind":"unhandledOutput","number":2,"time":0,"unwritten":"withheld"}"#,
                #"{"board":"opaque","kind":"activated","number":3,"time":0,"unwritten":"Opaque is not Codable"}"#,
                #"{"board":"first","kind":"command","number":1,"payload":3,"time":0}"#,
                #"{"board":"second","kind":"activated","number":4,"payload":2,"time":0}"#,
                #"{"action":"BackplaneTests.Wish","board":"second","kind":"unhandledAction","number":4,"payload":{"returnHome":{}},"time":0}"#,
                #"{"board":"words","derived":true,"inside":["first#1"],"kind":"completed","number":2,"payload":"cancelled","time":0}"#,
                #"{"board":"first","kind":"completed","number":1,"payload":"failed(Oops)","time":0}"#,
            ]
        )
        #expect("\(log)" == log.jsonLines)
        #expect(log.entries.map(\.time) == log.entries.map(\.time).sorted())
        let read = try EventLog(jsonLines: log.jsonLines)
        #expect(read.jsonLines == log.jsonLines)
        #expect(read.entries.map(\.instance) == log.entries.map(\.instance))
    }

    @Test func `B45: a recording that is stopped writes no more`() {
        var count = 0
        motherboard.probe(.first)
        let token = motherboard.record { _ in count += 1 }
        motherboard.activate(.first, with: 1)
        motherboard.stopObserving(token)
        motherboard.activate(.first, with: 1)
        #expect(count == 1)
    }

    @Test func `B45: a line that was being written is left out, and any other that is none is named`() throws {
        let line = #"{"board":"first","kind":"activated","number":1,"payload":null,"time":0.5}"#
        #expect(try EventLog(jsonLines: "\(line)\n\(line)\n").entries.count == 2)
        #expect(try EventLog(jsonLines: "\(line)\r\n\n\(line)\n\(line.prefix(20))").entries.count == 2)
        #expect(try EventLog(jsonLines: "").entries.isEmpty)
        #expect(try EventLog(jsonLines: line).entries[0].time == .seconds(0.5))
        #expect(throws: EventLogError(line: 2)) { try EventLog(jsonLines: "\(line)\nnonsense\n\(line)\n") }
        #expect(throws: EventLogError(line: 1)) {
            try EventLog(jsonLines: #"{"kind":"activated","time":0,"inside":["first"]}"# + "\n")
        }
        #expect(EventLogError(line: 2).description.contains("Line 2"))
    }

    @Test func `B45: null and nothing are not the same`() throws {
        enum Perhaps: BoardContract { typealias Input = Int? }
        var log = EventLog()
        motherboard.probe(BoardID<Perhaps>("perhaps"))
        motherboard.probe(.doorkeeper)
        motherboard.record { log.entries.append($0) }
        motherboard.activate(BoardID<Perhaps>("perhaps"), with: nil)
        motherboard.activate(.doorkeeper)
        let read = try EventLog(jsonLines: log.jsonLines)
        #expect(read.entries.map(\.payload) == [.json(.null), .nothing])
    }
}
