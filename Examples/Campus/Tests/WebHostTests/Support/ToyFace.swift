import Screens
import WebHost

/// A screen that says itself how ``ToyFace`` draws it.
protocol ToyScreen: Screen {
    var title: String { get }
    var sections: [Section] { get }
    func handle(_ event: String, _ form: EventFields)
}

/// The look of one type of toy screen, which receives every event.
struct ToyFace<Model: ToyScreen>: WebFace {
    struct Event: RawRepresentable, CaseIterable {
        static var allCases: [Event] { [] }
        let rawValue: String
    }

    /// No templates, because ``ToyModule/templates`` has them.
    let templates: [String: WebTemplate] = [:]

    func title(of screen: Model) -> String { screen.title }

    func sections(of screen: Model) -> [Section] { screen.sections }

    func handle(_ event: Event, _ form: EventFields, on screen: Model) {
        screen.handle(event.rawValue, form)
    }
}
