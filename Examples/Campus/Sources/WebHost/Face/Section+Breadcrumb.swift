public import Screens

extension Section {
    /// Creates the links to the pages above a screen, with the title of the screen at the end.
    ///
    /// A face puts this section first. The style sheet shows it above the heading of the page.
    ///
    /// - Parameters:
    ///   - parents: the links, the highest page first.
    ///   - title: returns the title of the screen.
    /// - Returns: the section.
    public static func breadcrumb(_ parents: BarEntry..., title: @escaping () -> String) -> Section {
        Section(id: "breadcrumb", template: "host-breadcrumb") { Breadcrumb(parents: parents, title: title()) }
    }
}

private struct Breadcrumb: Sendable {
    let parents: [BarEntry]
    let title: String
}
