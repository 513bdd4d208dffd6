import Testing

@testable import TerminalHost

struct ControlCharacterTests {
    @Test func `control characters are replaced by spaces`() {
        #expect("\u{1B}[2Jred\u{9B}31m\nnext\u{7F}".withoutControlCharacters == " [2Jred 31m next ")
        #expect("Ada · 7 €".withoutControlCharacters == "Ada · 7 €")
    }
}
