import Backplane
import Testing

private struct Shown: Board {
    let slot: Slot<Dashboard>

    func activate(with user: User.ID) {
        send(user.rawValue)
    }

    func receive(_ command: Dashboard.Command) {}
}

private struct Tab: Board {
    let slot: Slot<Profile>

    func activate(with input: Profile.Input) {
        send("\(input.user.rawValue) \(input.tab)")
    }
}

private struct Entrance: Board {
    let slot: Slot<Login>

    func activate(with input: Void) {
        complete()
    }
}

private struct Percentage: LinkParameter, Hashable {
    let value: Int

    init?(linkText: String) {
        guard let value = Int(linkText: linkText), (0...100).contains(value) else { return nil }
        self.value = value
    }
}

@MainActor
struct LinkCallers {
    @Test func `a link opens a board`() {
        let motherboard = Motherboard()
        motherboard.register(.dashboard) { Shown(slot: $0) }
        motherboard.register(.profile) { Tab(slot: $0) }
        motherboard.register(.login) { Entrance(slot: $0) }
        motherboard.allowLinks(schemes: ["myapp"])
        motherboard.allowLinks(schemes: ["https"], hosts: ["app.example"])
        motherboard.registerLink("user/{id}", to: .dashboard)
        motherboard.registerLink("login", to: .login)
        motherboard.registerLink("user/{id}/profile?tab={tab}", to: .profile) { link in
            Profile.Input(user: try link["id"], tab: try link["tab"] ?? "about")
        }
        var shown: [String] = []
        motherboard.registerFlow(from: .dashboard, .profile) { output, _, _ in shown.append(output) }

        #expect(motherboard.open("myapp://user/ada") == .opened)
        #expect(motherboard.open("https://app.example/user/ada/profile?tab=friends") == .opened)
        #expect(motherboard.open("/login") == .opened)
        #expect(motherboard.open("/nowhere") == .noMatch)
        #expect(shown == ["ada", "ada friends"])
        guard case .invalid(let error) = motherboard.open("/user/%").result else {
            Issue.record("A link with an invalid escape was accepted.")
            return
        }
        #expect(error.code == .invalidEscape)
    }

    @Test func `a router matches links without boards`() throws {
        var router = LinkRouter<String>()
        router.add("course/{id}", "course")
        try router.insert(LinkTemplate("progress/{value}"), "progress")
        router.allow(schemes: ["myapp"])
        guard case .match(let destination, let parameters) = router.match("/progress/40") else {
            Issue.record("The link did not match.")
            return
        }
        #expect(destination == "progress")
        let percentage: Percentage = try parameters["value"]
        let converted = try parameters["value", { Int($0) }]
        #expect(percentage.value == converted)

        let strict = LinkRouter<Int>(schemes: ["https"], hosts: ["app.example"], maximumLength: 100)
        switch strict.match("https://app.example/") {
        case .match(let number, _): Issue.record("\(number)")
        case .noMatch, .notAllowed: break
        case .invalid(let error): Issue.record(error)
        }
    }
}
