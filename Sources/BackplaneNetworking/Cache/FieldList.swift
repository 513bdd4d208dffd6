/// Reading of comma-separated header fields.
enum FieldList {
    /// Returns the members of a list without the space around them; commas in quoted strings do not
    /// separate (RFC 9110 section 5.6.1).
    ///
    /// Empty members are left out. The result is `nil` if a quoted string has no end.
    static func members(of value: some StringProtocol) -> [Substring]? {
        let value = Substring(value)
        var members: [Substring] = []
        var (start, index) = (value.startIndex, value.startIndex)
        var (isQuoted, isEscaped) = (false, false)
        let bytes = value.utf8
        while index < bytes.endIndex {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: ",") {
                members.append(value[start..<index].trimmed)
                start = bytes.index(after: index)
            }
            index = bytes.index(after: index)
        }
        members.append(value[start...].trimmed)
        return isQuoted ? nil : members.filter { !$0.isEmpty }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return self[first...last]
    }
}
