import BackplaneConcurrency
import Testing

private class Base {}
private final class Box<Value>: Base {
    let value: Value
    init(_ value: Value) { self.value = value }
}

struct DowncastTests {
    @Test func `an unchecked downcast returns the object with its concrete type`() {
        let base: Base = Box("inside")
        #expect(uncheckedDowncast(base, to: Box<String>.self).value == "inside")
    }

    #if DEBUG && (os(macOS) || os(Linux))
        @Test func `an unchecked downcast to another type traps in debug builds`() async {
            await #expect(processExitsWith: .failure) {
                let base: Base = Box("inside")
                _ = uncheckedDowncast(base, to: Box<Int>.self)
            }
        }
    #endif
}
