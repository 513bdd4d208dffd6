/// A ``SlotCore`` that remembers what its board was activated with last, so that this can be restored.
///
/// For inputs that can be written down, and not for others: those may hold objects that hold the motherboard. An input is
/// remembered as long as the core, which a handle on an activation keeps.
final class RememberingCore<Contract: BoardContract, Input>: SlotCore<Contract> where Contract.Input == Input {
    // Unchecked, because the check is a tenth of what a message costs. What it would find is a read in the middle of an
    // assignment, by the `deinit` of something the assignment lets go of; `remember` lets go of nothing before it is over.
    @exclusivity(unchecked) private var input: Input

    required init(record: Record<Contract>, generation: UInt64, input: Contract.Input) {
        self.input = input
        super.init(record: record, generation: generation, input: input)
    }

    override func remember(_ input: Contract.Input) {
        let earlier = self.input
        self.input = input
        withExtendedLifetime(earlier) {}
    }

    override var rememberedInput: WrittenPayload { WrittenPayload(input) }
}
