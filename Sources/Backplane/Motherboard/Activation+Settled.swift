// replaced when merging
extension Activation {
    func settled(isolation: isolated (any Actor)? = #isolation) async -> ActivationState {
        while state == .waiting, !Task.isCancelled { await Task.yield() }
        return state
    }
}
