import BackplaneFeatures
import Testing

struct LoadStateTests {
    @Test func `a load state provides its value, its error and whether a load is running`() {
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
