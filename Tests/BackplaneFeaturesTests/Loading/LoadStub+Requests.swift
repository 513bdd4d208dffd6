import BackplaneTesting

extension LoadStub {
    /// Waits for the request of that number, and completes the oldest one that is pending.
    func succeed(request number: Int, with value: Value) async {
        await requests(atLeast: number)
        succeed(with: value)
    }

    /// Waits for the request of that number, and fails the oldest one that is pending.
    func fail(request number: Int, with error: any Error) async {
        await requests(atLeast: number)
        fail(with: error)
    }
}
