import Foundation
import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.rule("B45"))
struct EventLogTests {
    let motherboard = Motherboard.onMain()

    private func lines(_ log: EventLog) -> [String] {
        log.entries.map { entry in
            entry.description.replacing(#/"time":[0-9.e-]+/#, with: #""time":0"#)
        }
    }

    @Test func `a time that is read and written again is the same`() throws {
        for nanoseconds in [4_465_420, 62_153, 1, 86_400_000_000_001] {
            let line = #"{"kind":"activated","time":\#(Double(nanoseconds) / 1e9)}"#
            let first = try EventLog(jsonLines: line)
            #expect(first.entries.first?.time == .nanoseconds(nanoseconds))
            #expect(try EventLog(jsonLines: first.jsonLines).jsonLines == first.jsonLines)
        }
    }

    @Test func `an entry is a line of JSON with its payload`() async throws {
        struct Opaque {}
        enum Opaques: BoardContract { typealias Input = Opaque }
        var log = EventLog()
        motherboard.recordEvents(excluding: .words) { log.entries.append($0) }
        motherboard.probe(.first) { board, _ in board.inner.activate(.words, with: "secret") }
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
                #"{"board":"first","derived":true,"kind":"unhandledFailure","number":1,"time":0}"#,
            ]
        )
        #expect(log.entries.map(\.time) == log.entries.map(\.time).sorted())
        #expect(log.entries.allSatisfy { $0.time > .zero })
        let read = try EventLog(jsonLines: log.jsonLines)
        #expect(read.jsonLines == log.jsonLines)
        #expect(read.entries.map(\.instance) == log.entries.map(\.instance))
    }

    @Test func `a stopped recording writes no more entries`() {
        var count = 0
        motherboard.probe(.first)
        let token = motherboard.recordEvents { _ in count += 1 }
        motherboard.activate(.first, with: 1)
        motherboard.remove(token)
        motherboard.activate(.first, with: 1)
        #expect(count == 1)
    }

    private func expectRefusal(ofLine number: Int, in text: String, at location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: DecodingError.self, sourceLocation: location) { try EventLog(jsonLines: text) }
        guard case .dataCorrupted(let context)? = error else { return }
        #expect(
            context.debugDescription == "Line \(number) is not a valid entry of an event log. Pass whole lines, as "
                + "Motherboard.recordEvents wrote them.",
            sourceLocation: location
        )
    }

    @Test func `an incomplete last line is skipped, and any other invalid line is named in the error`() throws {
        let line = #"{"board":"first","kind":"activated","number":1,"payload":null,"time":0.5}"#
        #expect(try EventLog(jsonLines: "\(line)\n\(line)\n").entries.count == 2)
        #expect(try EventLog(jsonLines: "\(line)\r\n\n\(line)\n\(line.prefix(20))").entries.count == 2)
        #expect(try EventLog(jsonLines: "").entries.isEmpty)
        #expect(try EventLog(jsonLines: line).entries[0].time == .seconds(0.5))
        expectRefusal(ofLine: 2, in: "\(line)\nnonsense\n\(line)\n")
        expectRefusal(ofLine: 1, in: #"{"kind":"activated","time":0,"inside":["first"]}"# + "\n")
    }

    @Test func `a null payload, a missing payload and a withheld payload differ`() throws {
        enum Perhaps: BoardContract { typealias Input = Int? }
        var log = EventLog()
        motherboard.probe(Perhaps.id)
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        motherboard.recordEvents(excluding: .doorkeeper) { log.entries.append($0) }
        motherboard.activate(Perhaps.id, with: nil)
        motherboard.activate(.doorkeeper)
        let read = try EventLog(jsonLines: log.jsonLines)
        #expect(read.entries.map(\.payload) == [.json(.null), .nothing, .unwritable("withheld")])
    }

    @Test func `a line that was read is written unchanged`() throws {
        let lines = """
            {"action":"App.Home","board":"a/b","derived":true,"inside":["c#d#1","e#2"],"kind":"action","number":3,\
            "payload":{"half":0.5},"private":true,"time":0.25}
            {"board":"e","kind":"activated","time":1.5,"unwritten":"withheld"}

            """
        #expect(try EventLog(jsonLines: lines).jsonLines == lines)
    }

    @Test func `other Unicode line breaks do not end a line, and CRLF does`() throws {
        var log = EventLog()
        motherboard.recordEvents { log.entries.append($0) }
        motherboard.probe(.words)
        motherboard.activate(.words, with: "one\u{2028}two\u{2029}three\u{85}four\u{B}five\nsix\r\nseven")
        let read = try EventLog(jsonLines: log.jsonLines + log.jsonLines.replacing("}\n", with: "}\r\n\r\n"))
        #expect(read.entries.map(\.payload) == [log.entries[0].payload, log.entries[0].payload])
        expectRefusal(ofLine: 3, in: log.jsonLines + "\r\nnonsense\r\n")
    }

    @Test func `an out-of-range time is rejected`() {
        for time in ["1e30", "-1e30", "1e999"] {
            expectRefusal(ofLine: 1, in: #"{"kind":"activated","time":\#(time)}"# + "\n")
        }
    }

    @Test func `a payload that fails to encode is named by its type`() {
        enum Ratios: BoardContract { typealias Input = Double }
        var log = EventLog()
        motherboard.probe(BoardID<Ratios>("ratio"), reuse: .perActivation)
        motherboard.recordEvents { log.entries.append($0) }
        for ratio in [0.5, .infinity, .nan] { motherboard.activate(BoardID<Ratios>("ratio"), with: ratio) }
        let failed = WrittenPayload.unwritable("Double failed to encode itself")
        #expect(log.entries.map(\.payload) == [.json(.number(0.5)), failed, failed])
    }

    @Test func `an entry shows whether its board is private`() async throws {
        var log = EventLog()
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.recordEvents { log.entries.append($0) }
        _ = try await motherboard.result(of: .first, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(log.entries.map(\.isPrivate) == [true, true, true, false, false])
    }

    private enum Hidden: BoardFlowAction { case wish }

    @Test func `the name of an action of a private type is the same in every process`() {
        var log = EventLog()
        motherboard.recordEvents { log.entries.append($0) }
        motherboard.sendAction(Hidden.wish)
        #expect(log.entries.map(\.action) == ["BackplaneTests.EventLogTests.Hidden"])
    }
}
