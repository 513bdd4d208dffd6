// Foundation for Linux has no string catalogs.
#if canImport(Darwin)
    public import Foundation

    extension Dialog {
        /// Creates a dialog with texts of a string catalog, which this call looks up.
        ///
        /// ```swift
        /// Dialog<Bool>(localized: "Keep the message?", choices: [.init(localized: "Keep", true)])
        /// ```
        ///
        /// - Parameters:
        ///   - title: the question in a few words.
        ///   - message: the information that the user needs to answer.
        ///   - choices: the buttons that answer, in the order they are shown.
        ///   - cancel: the label of the button that closes the dialog without an answer; `nil` for
        ///     no such button.
        ///   - style: how the dialog is shown.
        public init(
            localized title: LocalizedStringResource,
            message: LocalizedStringResource? = nil,
            choices: [Choice],
            cancel: LocalizedStringResource? = "Cancel",
            style: DialogStyle = .alert
        ) {
            self.init(
                String(localized: title),
                message: message.map { String(localized: $0) } ?? "",
                choices: choices,
                cancel: cancel.map { String(localized: $0) },
                style: style
            )
        }
    }

    extension Dialog.Choice {
        /// Creates a button that gives this answer, with a label of a string catalog.
        public init(localized label: LocalizedStringResource, _ answer: Answer, role: DialogRole = .normal) {
            self.init(String(localized: label), answer, role: role)
        }
    }
#endif
