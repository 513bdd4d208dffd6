import Observation
import Screens
import WebHost

@Observable
final class CounterScreen: ToyScreen {
    enum Wish { case signIn, signInLate, signOut, slow, ask, sheet, cover, address, client, save }
    struct Count { let count: Int }
    struct Note { let text: String }

    var note = "nothing"
    var isBusy = false
    private var count = 0
    private(set) var title = "Counter"
    let path = "/"
    @ObservationIgnored var onWish: (Wish) -> Void = { _ in }

    var sections: [Section] {
        [
            Section(id: "count", template: "counter") { Count(count: self.count) },
            Section(id: "note", template: "note") { Note(text: self.note) },
        ]
    }

    func handle(_ event: String, _ form: EventFields) {
        switch event {
        case "increment": count += 1
        case "incrementOften": for _ in 0..<(Int(form["times"] ?? "") ?? 0) { count += 1 }
        case "note": note = form["text"] ?? ""
        case "identity": note = ScreenEvent.identity.map { "\($0)" } ?? "none"
        case "title": title = form["text"] ?? ""
        case "both":
            count += 1
            note = "both"
        case "signIn": onWish(.signIn)
        case "signInLate": onWish(.signInLate)
        case "signOut": onWish(.signOut)
        case "slow": onWish(.slow)
        case "ask": onWish(.ask)
        case "sheet": onWish(.sheet)
        case "cover": onWish(.cover)
        case "address": onWish(.address)
        case "client": onWish(.client)
        case "save": onWish(.save)
        default: break
        }
    }
}

@Observable
final class PageScreen: ToyScreen {
    struct Model { let text: String }

    let path: String
    @ObservationIgnored var onEvent: () -> Void = {}
    private var text = "untouched"

    init(path: String) {
        self.path = path
    }

    var title: String { "Page \(path)" }
    var sections: [Section] { [Section(id: "note", template: "page") { Model(text: self.text) }] }

    func handle(_ event: String, _ form: EventFields) {
        text = form["text"] ?? text
        onEvent()
    }
}

@Observable
final class SlowScreen: ToyScreen {
    struct Model { let name: String? }

    let name: String
    var isLoaded: Bool

    init(name: String, isLoaded: Bool) {
        self.name = name
        self.isLoaded = isLoaded
    }

    var title: String { "Slow" }
    var path: String { "/slow/\(name)" }
    var isBusy: Bool { !isLoaded }

    var sections: [Section] {
        [Section(id: "slow", template: "slow") { Model(name: self.isLoaded ? self.name : nil) }]
    }

    func handle(_ event: String, _ form: EventFields) {}
}
