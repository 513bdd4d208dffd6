#if canImport(SwiftUI)
    import Backplane
    import BackplaneFeatures
    import BackplaneSwiftUI
    import CampusModels
    import DashboardInterface
    public import DashboardModels
    import ScreensSwiftUI
    public import SwiftUI

    /// The dashboard in SwiftUI.
    public struct DashboardView: View {
        private let dashboard: DashboardModel
        @Environment(\.motherboard) private var motherboard

        /// Creates a view of this dashboard.
        public init(_ dashboard: DashboardModel) {
            self.dashboard = dashboard
        }

        /// The view of the dashboard.
        public var body: some View {
            List {
                user
                week
                courses
                MessageSections(dashboard: dashboard)
                tiles
            }
            .navigationTitle("Dashboard")
            .toolbar {
                Button("Refresh") { dashboard.refresh() }.disabled(dashboard.isRefreshing)
                Button("Sign out") { dashboard.signOut() }
            }
        }

        private var user: some View {
            LoadSection("You", dashboard.user.state) { user in
                Text("Welcome back, \(user.name).")
            } retry: {
                dashboard.retry(.user)
            }
        }

        private var week: some View {
            LoadSection("This week", dashboard.week) { week in
                if dashboard.isWeekFree {
                    Text("You have no appointments and no open to-dos this week.").foregroundStyle(.secondary)
                } else {
                    Text("Appointments this week: \(week.appointments). Open to-dos: \(week.openTodos).")
                }
            } retry: {
                dashboard.retry(.week)
            }
        }

        private var courses: some View {
            LoadSection("Your courses", dashboard.courses.state) { courses in
                ForEach(courses) { course in
                    Button {
                        dashboard.open(course.id)
                    } label: {
                        TwoLines(course.title, Text(course.summary))
                    }
                }
                if courses.isEmpty { Text("You have no courses yet.").foregroundStyle(.secondary) }
            } retry: {
                dashboard.retry(.courses)
            }
        }

        /// The entries of other features, which the dashboard opens as links.
        private var tiles: some View {
            Section {
                ForEach(dashboard.tiles, id: \.path) { tile in
                    Button {
                        motherboard?.open(tile.path)
                    } label: {
                        TwoLines(tile.title, Text(tile.text))
                    }
                }
            }
        }
    }
#endif
