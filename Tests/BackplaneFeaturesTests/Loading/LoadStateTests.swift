import BackplaneFeatures
import Testing

struct LoadStateTests {
    @Test func `a state says what to show`() {
        #expect(LoadState<Int>.idle.value == nil)
        #expect(LoadState.loaded(1).value == 1)
        #expect(LoadState.loading(previous: 1).value == 1)
        #expect(LoadState.failed(Failure(), previous: 1).value == 1)
        #expect(LoadState.failed(Failure(), previous: 1).error is Failure)
        #expect(LoadState.loading(previous: 1).error == nil)
        #expect(LoadState.loading(previous: 1).isLoading)
        #expect(!LoadState.loaded(1).isLoading)
    }
}
