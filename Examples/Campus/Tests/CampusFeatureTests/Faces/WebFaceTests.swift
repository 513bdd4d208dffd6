import DashboardWeb
import Testing
import WebHost

@testable import CampusApp

/// The events of the faces, compared with their templates.
struct WebFaceTests {
    /// The events that the templates of a face can send, with those of the shared partials.
    private func sentEvents(_ face: any WebFace) -> Set<String> {
        let templates = face.templates.values.map(\.source)
        var events: Set<String> = []
        for source in templates {
            for button in source.matches(of: #/<button\b.*?</button>/#.dotMatchesNewlines()) {
                guard button.output.contains("name=\"_event\"") else { continue }
                events.formUnion(button.output.matches(of: #/\bvalue="([^"]+)"/#).map { String($0.output.1) })
            }
            let fields = source.matches(of: #/<input\b[^>]*name="_event"[^>]*\bvalue="([^"]+)"/#)
            events.formUnion(fields.map { String($0.output.1) })
            events.formUnion(source.matches(of: #/<a\b[^>]*data-event="([^"]+)"/#).map { String($0.output.1) })
            if source.contains("{{>problem}}") { events.insert("retry") }
            if source.contains("{{>changes}}") { events.formUnion(["dismiss", "resend"]) }
        }
        return events
    }

    private func events<F: WebFace>(of face: F) -> Set<String> { Set(F.Event.allCases.map(\.rawValue)) }

    @Test func `each face knows exactly the events that its templates send`() {
        #expect(!CampusApp.webFaces.isEmpty)
        for face in CampusApp.webFaces {
            // In a browser, a tile is the link to the composer.
            let byLink: Set = face is DashboardWebFace ? ["compose"] : []
            #expect(events(of: face) == sentEvents(face).union(byLink), "\(type(of: face))")
        }
    }

    @Test func `no template has a form without the fields that protect it`() {
        for face in CampusApp.webFaces {
            for (name, template) in face.templates {
                let forms = template.source.matches(of: #/<form\b.*?</form>/#.dotMatchesNewlines())
                #expect(forms.allSatisfy { $0.output.contains("{{>host-fields}}") }, "\(name)")
            }
        }
    }
}
