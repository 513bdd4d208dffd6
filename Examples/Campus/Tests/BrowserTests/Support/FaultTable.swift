import WebDriver

/// A way in which a reply of the API does not come.
enum Fault: String, CaseIterable, Sendable {
    /// The API responds with 503.
    case failed
    /// The API responds late.
    case slow
    /// The API does not respond at all, until the app gives up.
    case hanging
    /// The API carries out the request, and the connection closes before the response.
    case lost
    /// The API refuses the request.
    case refused

    /// The text about a load, or about a change that is not kept, which ended like this.
    var problem: String {
        switch self {
        case .failed: "The campus server could not answer."
        case .slow, .hanging, .lost: "The campus server cannot be reached."
        case .refused: "There is no such thing, or you have no access to it."
        }
    }

    /// Returns the rule of the API for requests to this path.
    func rule(of path: String, isChange: Bool) -> String {
        switch self {
        case .failed: "fail=\(path)"
        case .slow, .hanging: "hold=\(path)"
        // Of a path with loads and changes, only the changes are lost.
        case .lost: path == "/messages" && isChange ? "drop=\(path)" : "lose=\(path)"
        case .refused: "\(isChange ? "invalid" : "deny")=\(path)"
        }
    }

    /// Whether the app waits for the reply at first.
    var hasWait: Bool { self == .slow || self == .hanging }
}

/// An action of the user, or what the user looks for.
enum Step: Sendable {
    case open(String)
    case type(String, into: String)
    case click(String, String)
    case see(String, String? = nil)
    case miss(String, String? = nil)
}

/// A section of a page, or a button on it, in all faults.
struct FaultRow: Sendable {
    /// The section or the change, for the report of a failure.
    let name: String
    /// The path of the requests.
    let api: String
    /// Whether the requests change something.
    var isChange = false
    /// The page while no reply has come.
    let waiting: [Step]
    /// The page after the reply.
    let done: [Step]
    /// The page after a reply that has not come, or that refuses.
    let problem: @Sendable (Fault) -> [Step]
    /// The buttons that lead on after the faults, and where they lead.
    let wayOut: @Sendable (Fault) -> [Step]
}

/// A tab with rows of the table.
struct FaultVisit: Sendable {
    /// The steps before the faults.
    var before: [Step] = []
    /// The steps that send the requests.
    let during: [Step]
    let rows: [FaultRow]
}

extension FaultVisit {
    /// The pages in groups that a browser has open at the same time.
    ///
    /// A browser has six connections to a host, and each tab keeps one. A confirmed tick counts the
    /// week of each dashboard again, so no dashboard is open beside it.
    static let groups = [
        [course, product, settings, message], [catalog, contacts, account, tick],
        [dashboard, refresh, older, shop],
    ]

    // MARK: Loads

    private static let dashboard = FaultVisit(
        during: [.open("/")],
        rows: [
            .load("user", from: "/me", shows: "Welcome back, Ada Lovelace."),
            .load("week", from: "/courses/*/schedule", shows: "Appointments this week:"),
            .load("courses", from: "/courses", shows: "Analytical Engines"),
            .load("messages", from: "/messages", shows: "Message 30."),
        ]
    )
    private static let course = FaultVisit(
        during: [.open("/course/abc123")],
        rows: [
            .load("course", from: "/courses/abc123", shows: "programs"),
            .load("tutor", from: "/courses/*/tutor", shows: "Charles Babbage"),
            .load("schedule", from: "/courses/*/schedule", shows: "Machine room"),
            .load("to-dos", from: "/courses/*/todos", shows: "Bernoulli"),
        ]
    )
    private static let product = FaultVisit(
        during: [.open("/product/cards")],
        rows: [
            .load("product", from: "/catalog/cards", shows: "€"),
            .load("favorite", from: "/favorites", shows: "Not one of your favorites"),
        ]
    )
    private static let settings = FaultVisit(
        during: [.open("/settings")],
        rows: [.load("sessions", from: "/sessions", shows: "this session")]
    )
    private static let catalog = FaultVisit(
        during: [.open("/catalog")],
        rows: [.load("products", from: "/catalog", shows: "Punched")]
    )
    private static let contacts = FaultVisit(
        before: [.open("/compose")],
        during: [.click("button", "Choose recipients")],
        rows: [.load("contacts", onSheet: true, from: "/contacts", shows: "Charles Babbage")]
    )

    // MARK: Loads of something that is shown

    private static let refresh = FaultVisit(
        before: [.open("/"), .see("#section-week", "Appointments"), .see("#section-messages", "Message 30.")],
        during: [.click("button", "Refresh")],
        rows: [
            .reload("user", from: "/me", keeps: "Welcome back, Ada Lovelace.", saying: ("Refreshing …", "Refreshed.")),
            .reload("week", from: "/courses/*/schedule", keeps: "Appointments this week:"),
            .reload("courses", from: "/courses", keeps: "Analytical Engines"),
            .reload("messages", from: "/messages", keeps: "Message 30."),
        ]
    )
    private static let older = FaultVisit(
        before: [.open("/"), .see("#section-messages li:nth-child(20)")],
        during: [.click("button", "Show older messages")],
        rows: [
            FaultRow(
                name: "older messages",
                api: "/messages",
                waiting: [.see("#section-messages form[aria-busy=true]"), .see("#section-messages li:nth-child(20)")],
                done: [.see("#section-messages li:nth-child(30)")],
                problem: {
                    [.see("#section-messages [role=alert]", $0.problem), .see("#section-messages li:nth-child(20)")]
                },
                wayOut: { _ in
                    [
                        .click("#section-messages [role=alert] button", "Try again"),
                        .see("#section-messages li:nth-child(30)"),
                    ]
                }
            )
        ]
    )

    // MARK: Changes

    private static let account = FaultVisit(
        before: [.open("/settings"), .see("#section-user", "ada@"), .see("#section-sessions li:nth-child(2)")],
        during: [.click("button", "Sync"), .click("#section-sessions button", "End")],
        rows: [
            .reload("user", from: "/me", keeps: "ada@", saying: ("Syncing …", "Synced with the campus server.")),
            FaultRow(
                name: "end of a session",
                api: "/sessions/*",
                isChange: true,
                waiting: [.see("#section-sessions button[disabled]")],
                done: [.see("#section-sessions", "No other sessions."), .miss("#section-sessions [role=alert]")],
                problem: { fault in
                    [
                        .see("#section-sessions [role=alert]", fault.refusal ?? fault.problem),
                        .miss("#section-sessions button[disabled]"),
                        // The list is loaded again, so it tells whether the session has ended.
                        fault == .lost
                            ? .see("#section-sessions", "No other sessions.")
                            : .see("#section-sessions li:nth-child(2)"),
                    ]
                },
                wayOut: { fault in
                    (fault == .lost ? [] : [.click("#section-sessions button", "End")]) + [
                        .see("#section-sessions", "No other sessions.")
                    ]
                }
            ),
        ]
    )
    private static let tick = FaultVisit(
        before: [.open("/course/abc123")],
        during: [.click("#section-to-dos li:nth-child(2) input[type=checkbox]", "")],
        rows: [
            .change(
                "/courses/*/todos/*",
                on: "/course/abc123",
                in: "#section-to-dos",
                shows: ("#section-to-dos li:nth-child(2) s", nil),
                untilThen: ("#section-to-dos li:nth-child(2)", "Not saved yet")
            )
        ]
    )
    private static let shop = FaultVisit(
        before: [.open("/product/nanosecond"), .see("#section-favorite", "☆ Not one of your favorites")],
        during: [.click("#section-favorite button", "Add"), .click("#section-shop button", "Buy")],
        rows: [
            .change(
                "/favorites/*",
                in: "#section-favorite",
                shows: ("#section-favorite", "★ One of your favorites"),
                untilThen: ("#section-favorite", "Not saved yet")
            ),
            FaultRow(
                name: "purchase",
                api: "/purchases",
                isChange: true,
                waiting: [.see("#section-shop button[disabled]", "Buying …")],
                done: [.see("#section-shop", "You have bought this for"), .miss("#section-shop button[disabled]")],
                problem: { fault in
                    if let refusal = fault.refusal {
                        return [.see("#section-shop [role=alert]", refusal), .miss("#section-shop button[disabled]")]
                    }
                    return [
                        .see("#section-shop", "A purchase of this is on its way since"),
                        .see("#section-shop button[disabled]"),
                    ]
                },
                wayOut: { fault in
                    (fault == .refused ? [.click("#section-shop button", "Buy")] : []) + [
                        .see("#section-shop", "You have bought this for"), .miss("#section-shop [role=alert]"),
                    ]
                }
            ),
        ]
    )
    private static let message = FaultVisit(
        before: [
            .open("/compose"), .type("The engine runs.", into: "#text"), .click("button", "Choose recipients"),
            .click("label", "Charles Babbage"), .click("#sheet button", "Choose"),
            .see("#recipients", "Charles Babbage"),
        ],
        during: [.click("button", "Send"), .see("h1", "Dashboard")],
        rows: [
            FaultRow(
                name: "message",
                api: "/messages",
                isChange: true,
                waiting: [
                    .see("#section-changes li", "It is being sent."), .see("#section-changes li", "since"),
                    .see("#section-messages li", "The engine runs."),
                ],
                done: [.miss("#section-changes li"), .see("#section-messages li", "The engine runs.")],
                problem: { fault in
                    let shown: [Step] =
                        if let refusal = fault.refusal {
                            [
                                .see("#section-changes li [role=alert]", refusal),
                                .see("#section-changes button", "Edit"), .see("#section-changes button", "Send again"),
                                .see("#section-changes button", "Discard"),
                                .miss("#section-messages li", "The engine runs."),
                            ]
                        } else {
                            [
                                .see("#section-changes li [role=status]", fault.delay),
                                .see("#section-changes button", "Try now"), .see("#section-changes li time"),
                                .see("#section-messages li", "The engine runs."),
                                .see("#section-messages li", "It is not confirmed yet"),
                            ]
                        }
                    // In these faults the messages can be loaded. A new window shows all of them.
                    let others: [Step] =
                        [.lost, .refused].contains(fault)
                        ? [.see("#section-messages li", "Message 30."), .see("#section-messages li:nth-child(20)")] : []
                    return shown + [.open("/")] + shown + others
                },
                wayOut: { fault in
                    (fault == .refused ? [.click("#section-changes button", "Send again")] : []) + [
                        .miss("#section-changes li"), .see("#section-messages li", "The engine runs."),
                    ]
                }
            )
        ]
    )
}

extension Fault {
    /// The server's reason for refusing a change; `nil` in another fault.
    fileprivate var refusal: String? {
        self == .refused ? "The term is over, so this cannot be changed any more." : nil
    }

    /// The text about a change that is kept.
    fileprivate var delay: String {
        switch self {
        case .failed: "The campus server could not answer. It is not confirmed yet"
        // The API drops the reply to a message, and sends a failure in its place.
        case .lost, .slow, .hanging, .refused: "It is not confirmed yet"
        }
    }
}

extension FaultRow {
    /// A section without a value.
    fileprivate static func load(
        _ id: String,
        onSheet isOnSheet: Bool = false,
        from api: String,
        shows text: String
    ) -> FaultRow {
        let section = isOnSheet ? "#sheet" : "#section-\(id)"
        let alert = "\(section) [role=alert]"
        return FaultRow(
            name: id,
            api: api,
            waiting: [.see("\(section) .skeleton"), .miss(section, text), .miss(alert)],
            done: [.see(section, text), .miss("\(section) .skeleton"), .miss(alert)],
            problem: { [.see(alert, $0.problem), .miss("\(section) .skeleton"), .miss(section, text)] },
            wayOut: { _ in [.click("\(alert) button", "Try again"), .see(section, text), .miss(alert)] }
        )
    }

    /// A section whose value is loaded again.
    fileprivate static func reload(
        _ id: String,
        from api: String,
        keeps text: String,
        saying words: (running: String, done: String)? = nil
    ) -> FaultRow {
        let (section, alert) = ("#section-\(id)", "#section-\(id) [role=alert]")
        let status = "\(section) [role=status]"
        let (running, done) = (words.map { Step.see(status, $0.running) }, words.map { Step.see(status, $0.done) })
        let notDone = words.map { Step.miss(status, $0.done) }
        return FaultRow(
            name: "reload of \(id)",
            api: api,
            waiting: [.see(section, text), .miss(alert)] + [running, notDone].compactMap(\.self),
            done: [.see(section, text), .miss(alert)] + [done].compactMap(\.self),
            problem: { [.see(alert, $0.problem), .see(section, text)] + [notDone].compactMap(\.self) },
            wayOut: { _ in [.click("\(alert) button", "Try again"), .miss(alert), .see(section, text)] }
        )
    }

    /// A change that is shown before the API confirms it.
    fileprivate static func change(
        _ api: String,
        on path: String? = nil,
        in section: String,
        shows change: (css: String, text: String?),
        untilThen mark: (css: String, text: String)
    ) -> FaultRow {
        let isConfirmed: [Step] = [
            .see(change.css, change.text), .miss(mark.css, mark.text), .miss("\(section) [role=status]"),
        ]
        return FaultRow(
            name: "change in \(section)",
            api: api,
            isChange: true,
            waiting: [.see(change.css, change.text), .see(mark.css, mark.text), .miss("\(section) [role=alert]")],
            done: isConfirmed,
            problem: { fault in
                let shown: [Step] =
                    if let refusal = fault.refusal {
                        [.see("\(section) [role=alert]", refusal), .miss(change.css, change.text)]
                    } else {
                        [
                            .see("\(section) [role=status]", fault.delay), .see("\(section) button", "Try now"),
                            .see(change.css, change.text), .see(mark.css, mark.text),
                        ]
                    }
                // A new window says the same.
                return shown + (path.map { [.open($0)] + shown } ?? [])
            },
            wayOut: { fault in
                fault == .refused
                    ? [.click("\(section) button", "Dismiss"), .miss("\(section) [role=alert]")] : isConfirmed
            }
        )
    }
}
