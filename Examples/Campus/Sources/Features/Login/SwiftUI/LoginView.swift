#if canImport(SwiftUI)
    public import LoginModels
    import ScreensSwiftUI
    public import SwiftUI

    /// The login form in SwiftUI.
    public struct LoginView: View {
        private let login: LoginModel
        @State private var email = ""
        @State private var password = ""

        /// Creates a view of this form.
        public init(_ login: LoginModel) {
            self.login = login
        }

        /// The view of the form.
        public var body: some View {
            Form {
                Section {
                    if let notice = login.notice { Label(notice, systemImage: "info.circle") }
                    if let problem = login.problem { ProblemLabel(problem) }
                    if login.asksForEmail { TextField("E-mail address", text: $email) }
                    SecureField("Password", text: $password).onSubmit { signIn() }
                }
                Section {
                    Button(login.isBusy ? "Signing in …" : login.asksForEmail ? "Sign in" : "Confirm") { signIn() }
                        .disabled(login.isBusy || !isComplete)
                    if !login.asksForEmail { Button("Cancel", role: .cancel) { login.cancel() } }
                }
            }
            .navigationTitle(login.title)
        }

        private var isComplete: Bool { !(login.asksForEmail && email.isEmpty) && !password.isEmpty }

        private func signIn() {
            if isComplete { login.signIn(email: email, password: password) }
        }
    }
#endif
