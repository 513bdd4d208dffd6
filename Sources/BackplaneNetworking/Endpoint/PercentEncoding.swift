/// The bytes that percent-encoding leaves unchanged.
enum PercentEncodingSet {
    /// The bytes without a meaning in a URL: `unreserved` of RFC 3986 section 2.3.
    case unreserved
    /// The bytes that a path may contain, including slashes: `pchar` and `/` of RFC 3986 section
    /// 3.3.
    case pathLiteral

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            self == .pathLiteral && "/:@!$&'()*+,;=".utf8.contains(byte)
        }
    }
}

extension String {
    /// Returns the string's UTF-8 with every byte outside `kept` as `%` and two hexadecimal digits.
    func percentEncoded(keeping kept: PercentEncodingSet) -> String {
        var encoded = ""
        for byte in utf8 {
            if kept.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
