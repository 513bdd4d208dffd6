/// The ASCII characters that links consist of.
enum Byte {
    static let space = UInt8(ascii: " ")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let question = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isHostCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == dot || byte == UInt8(ascii: "_")
    }

    static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == dot
    }

    /// Returns ASCII text in lower case.
    static func lowercased(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(where: isCapital) else { return String(decoding: text, as: UTF8.self) }
        return String(decoding: text.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// Returns whether a byte is never percent-encoded: RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isHostCharacter(byte) || byte == UInt8(ascii: "~")
    }

    /// Returns whether a text has control characters (C0, DEL, C1), backslashes or, unless they are
    /// allowed, spaces.
    static func hasForbiddenCharacters(_ text: ArraySlice<UInt8>, allowingSpaces: Bool) -> Bool {
        let lowest = allowingSpaces ? space : space + 1
        var previous: UInt8 = 0
        for byte in text {
            // U+0080 to U+009F are C2 80 to C2 9F.
            let isC1 = byte & 0xE0 == 0x80 && previous == 0xC2
            if byte < lowest || byte == 0x7F || byte == backslash || isC1 { return true }
            previous = byte
        }
        return false
    }

    /// Returns the hexadecimal digit of a value below 16.
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    /// Returns the value of a hexadecimal digit; `nil` for any other byte.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - 0x30 }
        let letter = byte | 0x20
        return (0x61...0x66).contains(letter) ? letter - 0x61 + 10 : nil
    }
}
