/// A ``LiveBoard`` that stores the input of its board's latest activation, so that it can be
/// restored.
///
/// It exists for inputs that can be written down. Other inputs may hold objects that hold the
/// motherboard. The input lives as long as the live board, which the handle of an activation keeps
/// alive.
final class RestorableLiveBoard<Contract: BoardContract, Input>: LiveBoard<Contract> where Contract.Input == Input {
    // Unchecked, because the check takes a tenth of the time of a message. The check would find a
    // read during an assignment, made by the `deinit` of a value that the assignment releases.
    // `remember` releases nothing before the assignment is complete.
    @exclusivity(unchecked) private var input: Input

    required init(entry: BoardEntry<Contract>, generation: UInt64, input: Contract.Input) {
        self.input = input
        super.init(entry: entry, generation: generation, input: input)
    }

    override func remember(_ input: Contract.Input) {
        let earlier = self.input
        self.input = input
        withExtendedLifetime(earlier) {}
    }

    override var rememberedInput: WrittenPayload { WrittenPayload(input) }
    override func isActivated(with input: WrittenPayload) -> Bool { input.isForm(of: self.input) }
}
