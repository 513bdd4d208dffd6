/// The secret key of digests that nobody without the key can predict (SipHash-2-4).
package struct SipKey: Hashable, Sendable {
    package let first: UInt64
    package let second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Returns a new key.
    package static func random() -> SipKey {
        SipKey(first: .random(in: .min ... .max), second: .random(in: .min ... .max))
    }

    /// Returns the digest of some bytes.
    package func digest(_ bytes: [UInt8]) -> UInt64 {
        var state = State(self)
        bytes.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                state.take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            var last = UInt64(truncatingIfNeeded: bytes.count) << 56
            for offset in whole..<bytes.count { last |= UInt64(bytes[offset]) << UInt64((offset - whole) * 8) }
            state.take(last)
        }
        return state.end()
    }

    private struct State {
        var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

        init(_ key: SipKey) {
            a = key.first ^ 0x736f_6d65_7073_6575
            b = key.second ^ 0x646f_7261_6e64_6f6d
            c = key.first ^ 0x6c79_6765_6e65_7261
            d = key.second ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            d ^= word
            mix()
            mix()
            a ^= word
        }

        mutating func end() -> UInt64 {
            c ^= 0xff
            for _ in 0..<4 { mix() }
            return a ^ b ^ c ^ d
        }

        private mutating func mix() {
            a &+= b
            b = rotate(b, 13) ^ a
            a = rotate(a, 32)
            c &+= d
            d = rotate(d, 16) ^ c
            a &+= d
            d = rotate(d, 21) ^ a
            c &+= b
            b = rotate(b, 17) ^ c
            c = rotate(c, 32)
        }

        private func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    }
}
