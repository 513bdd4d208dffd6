#if canImport(SwiftUI)
    import CatalogModels
    import CatalogSwiftUI
    import ComposerModels
    import ComposerSwiftUI
    import CourseModels
    import CourseSwiftUI
    import DashboardModels
    import DashboardSwiftUI
    import LoginModels
    import LoginSwiftUI
    import ProductModels
    import ProductSwiftUI
    import Screens
    import ScreensSwiftUI
    import SettingsModels
    import SettingsSwiftUI
    import SwiftUI

    /// The view of any screen of the app.
    struct ScreenView: View {
        let screen: any Screen

        var body: some View {
            switch screen {
            case let login as LoginModel: LoginView(login)
            case let dashboard as DashboardModel: DashboardView(dashboard)
            case let settings as SettingsModel: SettingsView(settings)
            case let course as CourseModel: CourseView(course)
            case let composer as ComposerModel: ComposerView(composer)
            case let picker as RecipientPickerModel: RecipientPickerView(picker)
            case let catalog as CatalogModel: CatalogView(catalog)
            case let product as ProductModel: ProductView(product)
            case let denied as DeniedScreen: DeniedView(denied)
            default: Text("This screen has no view.")
            }
        }
    }
#endif
