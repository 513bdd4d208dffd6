import CampusModels
import Testing

struct AppKeyTests {
    @Test func `random keys are valid, and all are different`() {
        let keys = (1...10).map { _ in AppKey.random() }
        #expect(keys.compactMap { AppKey(rawValue: $0.rawValue) } == keys)
        #expect(Set(keys).count == 10)
    }

    @Test(arguments: ["", "short", String(repeating: " ", count: 32), String(repeating: "é", count: 32)])
    func `a key that is short or does not fit into a header field is refused`(text: String) {
        #expect(AppKey(rawValue: text) == nil)
    }

    @Test func `a key does not print itself`() {
        let key = AppKey.random()
        #expect(!"\(key) \(ForwardedClient(address: "192.0.2.1", key: key))".contains(key.rawValue))
    }
}
