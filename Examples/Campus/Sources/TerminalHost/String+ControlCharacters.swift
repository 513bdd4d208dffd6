extension String {
    /// The text with spaces in place of control characters.
    ///
    /// The text may come from any user, and a terminal would execute control characters.
    var withoutControlCharacters: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
