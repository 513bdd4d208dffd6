import BackplaneFeatures
import BackplaneSwiftUI
import SwiftUI
import Testing

private struct Failure: Error {}

@MainActor private final class Page {
    var state = LoadState<String>.idle
    var starts = 0
    var branchStarts = 0
}

/// A `LoadView` and a bare condition, each with a task outside.
private struct PageView: View {
    let page: Page

    var body: some View {
        LoadView(page.state, retry: {}) { Text($0) }
            .task { page.starts += 1 }
        Group {
            if page.state.isLoading { ProgressView() } else { Color.clear }
        }
        .task { page.branchStarts += 1 }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct LoadViewTests {
    private func host(_ state: LoadState<String>, retry: @escaping () -> Void = {}) -> ShapeHost {
        ShapeHost { LoadView(state, retry: retry) { Text($0) } }
    }

    @Test func `each state has its own view`() {
        #expect(host(.idle).texts == [])
        #expect(host(.idle).progressCount == 0)
        #expect(host(.loading(previous: nil)).texts == [])
        #expect(host(.loading(previous: nil)).progressCount == 1)
        #expect(host(.loading(previous: "old")).texts == ["old"])
        #expect(host(.loading(previous: "old")).progressCount == 1)
        #expect(host(.loaded("new")).texts == ["new"])
        #expect(host(.loaded("new")).progressCount == 0)
        #expect(host(.failed(Failure(), previous: nil)).texts == ["Not loaded", "Try again"])
        #expect(host(.failed(Failure(), previous: "old")).texts == ["old", "Not loaded", "Try again"])
    }

    @Test func `a task of the view starts once, and a task outside a condition starts for each branch`() async {
        let page = Page()
        let host = ShapeHost { PageView(page: page) }
        for state in [LoadState<String>.loading(previous: nil), .loaded("new"), .failed(Failure(), previous: nil)] {
            page.state = state
            host.update()
        }
        // Tasks start in order, so no further task of the first view waits.
        await yield { page.branchStarts == 3 }
        #expect(page.starts == 1)
    }

    @Test func `a failure can be retried`() {
        var retries = 0
        let host = host(.failed(Failure(), previous: nil)) { retries += 1 }
        #expect(host.tap("Try again"))
        #expect(retries == 1)
    }
}
