/// The rules of scopes (B56), written without regard to their implementation.
///
/// The model is an oracle: `ScopeModelTests` plays random scripts on the model and on the runtime,
/// and their views must be equal. A session contains courses, forms behind a gate, a picker and
/// organizations. An organization contains projects. The log-in is the entrance of the session, and
/// the picker is the entrance of the organization.
struct ScopeModel {
    /// A rule that is broken on purpose, for a test of whether the scripts detect it.
    enum Fault {
        /// Waiting activations enter the session of the earlier user, if there was an earlier user.
        case earlierUser
        /// The last of several waiting activations is lost.
        case lostEntrant
        /// The completion of the session leaves a course live.
        case aliveAfterCompletion
        /// Waiting activations enter in reverse order.
        case wrongOrder
    }

    private enum State: String {
        case waiting, active, superseded, completed, denied
    }

    private struct Session {
        var user: String
        var course: Int?
        var form: Int?
        /// The activation that entered the session directly, if there was any.
        var handle: Int?
        var organization: Organization?
    }

    private struct Organization {
        var name: String
        var project: Int?
        var handle: Int?
    }

    /// An entrance or a gate board, and whether it was made for waiting activations.
    private struct GateBoard {
        var isLive = false
        var isMadeForWaiting = false

        /// Asks the board, which is made if it is not live.
        mutating func ask() {
            isMadeForWaiting = !isLive
            isLive = true
        }

        /// Ends the board if it was made for waiting activations.
        mutating func leave() {
            if isMadeForWaiting { isLive = false }
            isMadeForWaiting = false
        }
    }

    /// An entry of the queue in front of the session.
    ///
    /// All activations of projects share one entry for their organization.
    private enum Waiting: Equatable {
        case activation(Int)
        case organization
    }

    private let fault: Fault?
    private var targets: [ScopeStep.Target] = []
    private var states: [State] = []
    /// Whether each activation comes from a motherboard beside the scopes.
    private var nested: [Bool] = []
    private var session: Session?
    private var earlierUser: String?
    private var logIn = GateBoard()
    private var picker = GateBoard()
    private var keeper = GateBoard()
    private var forSession: [Waiting] = []
    private var forOrganization: [Int] = []
    private var forForm: [Int] = []
    private(set) var view = ScopeView()

    init(fault: Fault? = nil) {
        self.fault = fault
    }

    mutating func take(_ step: ScopeStep) {
        switch step {
        case .activate(let target, let isNested):
            nested.append(isNested)
            activate(target)
        case .openLogIn:
            // B73: A log-in that a user opened does not end with the waiting activations, no matter
            // which of them came first.
            logIn.isLive = true
            logIn.isMadeForWaiting = false
        case .signIn(let user): if logIn.isLive { signIn(user) }
        case .endLogIn: endLogIn()
        case .pick(let name): if picker.isLive { pick(name) }
        case .endPicker: endPicker()
        case .answerKeeper(let isOpen): if keeper.isLive { answerKeeper(isOpen) }
        case .endKeeper: endKeeper()
        case .completeSession: completeSession()
        case .completeOrganization: completeOrganization()
        case .complete(let index): if index < states.count { complete(index) }
        }
        view.states = states.map(\.rawValue)
        view.live = live
    }

    private var live: [String] {
        var live: [String] = []
        if logIn.isLive { live.append("logIn") }
        guard let session else { return live }
        live.append("session")
        if session.course != nil { live.append("course") }
        if session.form != nil { live.append("form") }
        if picker.isLive { live.append("picker") }
        if keeper.isLive { live.append("keeper") }
        guard let organization = session.organization else { return live }
        live.append("organization")
        if organization.project != nil { live.append("project") }
        return live
    }

    // MARK: Activation

    private mutating func activate(_ target: ScopeStep.Target) {
        let index = states.count
        targets.append(target)
        states.append(.waiting)
        if case .session(let user) = target { return enterSession(user, by: index) }
        if session != nil { return enter(index) }
        if case .project = target {
            forOrganization.append(index)
            if forOrganization.count == 1 { wait(.organization) }
        } else {
            wait(.activation(index))
        }
    }

    private mutating func wait(_ waiting: Waiting) {
        forSession.append(waiting)
        if forSession.count == 1 { logIn.ask() }
    }

    /// Continues an activation inside the session.
    private mutating func enter(_ index: Int) {
        guard let session else { return }
        let user = fault == .earlierUser ? earlierUser ?? session.user : session.user
        switch targets[index] {
        case .course(let number):
            supersede(session.course)
            self.session?.course = index
            settle(index, "\(user)/course \(number)")
        case .form:
            forForm.append(index)
            if forForm.count == 1 { keeper.ask() }
        case .organization(let name): enterOrganization(name, by: index)
        case .project:
            if session.organization != nil { return enterProject(index) }
            forOrganization.append(index)
            if forOrganization.count == 1 { picker.ask() }
        case .session: break
        }
    }

    private mutating func enterProject(_ index: Int) {
        guard let session, let organization = session.organization, case .project(let number) = targets[index] else {
            return
        }
        supersede(organization.project)
        self.session?.organization?.project = index
        settle(index, "\(session.user)/\(organization.name)/project \(number)")
    }

    private mutating func supersede(_ index: Int?) {
        if let index { states[index] = .superseded }
    }

    private mutating func settle(_ index: Int, _ line: String) {
        states[index] = .active
        view.entered.append(line)
    }

    // MARK: Scopes

    private mutating func signIn(_ user: String) {
        if session != nil {
            view.dropped += 1
            return
        }
        // The log-in has answered, so it stays.
        logIn.isMadeForWaiting = false
        enterSession(user, by: nil)
    }

    private mutating func enterSession(_ user: String, by index: Int?) {
        endSession()
        session = Session(user: user, handle: index)
        view.entered.append(user)
        if let index { states[index] = .active }
        var waiting = forSession
        forSession = []
        if !waiting.isEmpty { logIn.leave() }
        if fault == .lostEntrant, waiting.count > 1 { waiting.removeLast() }
        if fault == .wrongOrder { waiting.reverse() }
        for waiting in waiting {
            switch waiting {
            case .activation(let index): enter(index)
            // An earlier activation in the queue may have entered the organization.
            case .organization: if !forOrganization.isEmpty, session?.organization == nil { picker.ask() }
            }
        }
    }

    private mutating func pick(_ name: String) {
        if session?.organization != nil {
            view.dropped += 1
            return
        }
        picker.isMadeForWaiting = false
        enterOrganization(name, by: nil)
    }

    private mutating func enterOrganization(_ name: String, by index: Int?) {
        guard let session else { return }
        endOrganization()
        self.session?.organization = Organization(name: name, handle: index)
        view.entered.append("\(session.user)/\(name)")
        if let index { states[index] = .active }
        let waiting = forOrganization
        forOrganization = []
        forSession.removeAll { $0 == .organization }
        if !waiting.isEmpty { picker.leave() }
        for index in waiting { enterProject(index) }
    }

    // MARK: Ends

    private mutating func end(_ index: Int?) {
        if let index { states[index] = .completed }
    }

    private mutating func endOrganization() {
        guard let organization = session?.organization else { return }
        session?.organization = nil
        end(organization.project)
        end(organization.handle)
    }

    private mutating func endSession() {
        guard let ended = session else { return }
        earlierUser = ended.user
        endOrganization()
        session = nil
        if fault != .aliveAfterCompletion { end(ended.course) }
        end(ended.form)
        end(ended.handle)
        deny(forForm)
        forForm = []
        deny(forOrganization)
        forOrganization = []
        picker = GateBoard()
        keeper = GateBoard()
    }

    private mutating func deny(_ indices: [Int]) {
        for index in indices { states[index] = .denied }
    }

    /// Denies every activation that waits for the session, which is not entered.
    private mutating func denySession() {
        for case .activation(let index) in forSession { states[index] = .denied }
        if forSession.contains(.organization) {
            deny(forOrganization)
            forOrganization = []
        }
        forSession = []
    }

    private mutating func endLogIn() {
        guard logIn.isLive else { return }
        logIn = GateBoard()
        denySession()
    }

    private mutating func endPicker() {
        guard picker.isLive else { return }
        picker = GateBoard()
        deny(forOrganization)
        forOrganization = []
    }

    private mutating func completeSession() {
        endSession()
        if forSession.isEmpty { return }
        denySession()
        logIn.leave()
    }

    private mutating func completeOrganization() {
        endOrganization()
        for case .activation(let index) in forSession {
            if case .organization = targets[index], !nested[index] { states[index] = .completed }
        }
        let isWaiting = !forSession.isEmpty
        forSession.removeAll { waiting in
            if case .activation(let index) = waiting, states[index] == .waiting { return false }
            return true
        }
        if isWaiting, forSession.isEmpty { logIn.leave() }
        if forOrganization.isEmpty { return }
        deny(forOrganization)
        forOrganization = []
        if session != nil { picker.leave() }
    }

    private mutating func answerKeeper(_ isOpen: Bool) {
        let waiting = forForm
        if waiting.isEmpty { return }
        forForm = []
        keeper.isMadeForWaiting = false
        guard isOpen else { return deny(waiting) }
        for index in waiting {
            guard let session, case .form(let number) = targets[index] else { continue }
            supersede(session.form)
            self.session?.form = index
            settle(index, "\(session.user)/form \(number)")
        }
    }

    private mutating func endKeeper() {
        guard keeper.isLive else { return }
        keeper = GateBoard()
        deny(forForm)
        forForm = []
    }

    private mutating func complete(_ index: Int) {
        switch states[index] {
        case .waiting: giveUp(index)
        case .active:
            states[index] = .completed
            if session?.handle == index { return endSession() }
            if session?.organization?.handle == index { return endOrganization() }
            if session?.course == index { session?.course = nil }
            if session?.form == index { session?.form = nil }
            if session?.organization?.project == index { session?.organization?.project = nil }
        default: break
        }
    }

    private mutating func giveUp(_ index: Int) {
        states[index] = .completed
        if let position = forForm.firstIndex(of: index) {
            forForm.remove(at: position)
            if forForm.isEmpty { keeper.leave() }
        }
        if let position = forOrganization.firstIndex(of: index) {
            forOrganization.remove(at: position)
            guard forOrganization.isEmpty else { return }
            if session != nil { return picker.leave() }
            leaveSession(.organization)
        }
        leaveSession(.activation(index))
    }

    private mutating func leaveSession(_ waiting: Waiting) {
        guard let position = forSession.firstIndex(of: waiting) else { return }
        forSession.remove(at: position)
        if forSession.isEmpty { logIn.leave() }
    }
}
