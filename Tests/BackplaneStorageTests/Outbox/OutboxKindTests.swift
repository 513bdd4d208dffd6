import BackplaneFeatures
import TestSupport
import Testing

@testable import BackplaneStorage

/// The rules that a kind has for its operations.
@Suite struct OutboxKindTests {
    @Test(.rule("D10"), arguments: [(1, false), (2, true), (3, true), (4, false)])
    func `only the versions of the kind can be sent`(version: Int, canBeSent: Bool) {
        let kind = OutboxKind("notes", version: 3, readingFrom: 2)
        #expect((kind.rules(for: version, isMetered: false) != nil) == canBeSent)
    }

    @Test(.rule("D23"))
    func `a kind for networks without a price excludes others`() {
        let kind = OutboxKind("notes", network: .unmetered)
        #expect(kind.rules(for: 1, isMetered: true)?.mayUseNetwork == false)
        #expect(kind.rules(for: 1, isMetered: false)?.mayUseNetwork == true)
        #expect(OutboxKind("notes").rules(for: 1, isMetered: true)?.mayUseNetwork == true)
    }
}
