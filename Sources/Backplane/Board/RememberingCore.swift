/// A ``SlotCore`` that remembers what its board was activated with last, so that this can be restored.
///
/// For inputs that can be written down, and not for others: those may hold objects that hold the motherboard. `Input` is the
/// contract's; given by itself it need not be looked up at each activation. It is remembered as long as the core, which a
/// handle on an activation keeps.
final class RememberingCore<Contract: BoardContract, Input>: SlotCore<Contract> where Contract.Input == Input {
    private var input: Input

    required init(record: Record<Contract>, generation: UInt64, input: Contract.Input) {
        self.input = input
        super.init(record: record, generation: generation, input: input)
    }

    override func remember(_ input: Contract.Input) {
        self.input = input
    }

    override var rememberedInput: WrittenPayload { WrittenPayload(input) }
}
