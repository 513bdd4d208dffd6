import Backplane

extension Door {
    static let slotDoors: [Door] = [
        Door("Slot", "complete(_:)") { $0.slot.complete() },
        Door("Slot", "complete(_:sending:)") { $0.slot.complete(sending: 1) },
        Door("Slot", "contribute(to:order:_:)") { $0.slot.contribute(to: .numbers) { 1 } },
        Door("Slot", reading: "isLive(_:)") { "\($0.slot.isLive(.second))" },
        Door("Slot", "keep(_:for:)") { $0.slot.keep($0.makeComponent(), for: $0.screen) },
        Door("Slot", reading: "nextToBoard(_:with:)") { "\($0.slot.nextToBoard(.second, with: 7).state)" },
        Door("Slot", "pair(with:)") { $0.slot.pair(with: $0.screen) },
        Door("Slot", "send(_:)") { $0.slot.send(1) },
        Door("Slot", reading: "send(_:to:)") { "\($0.slot.send(7, to: .second))" },
        Door("Slot", "sendAction(_:)") { $0.slot.sendAction(Wish.returnHome) },
        Door("Slot", "task(_:)") { keys in
            let journal = keys.journal
            keys.tasks.append(keys.slot.task { journal.note("ran") })
        },
        Door("Slot", "task(_:lasting:_:)") { keys in
            let journal = keys.journal
            keys.tasks.append(keys.slot.task(.doors, lasting: .board) { journal.note("ran") })
        },
        Door("Slot", reading: "var inner") { "\($0.slot.inner.activate(.third, with: 7).state)" },
        Door("Slot", reading: "var isLive") { "\($0.slot.isLive)" },
    ]

    static let boardDoors: [Door] = [
        Door("Board", "complete(_:)") { $0.board.complete() },
        Door("Board", "complete(_:sending:)") { $0.board.complete(sending: 1) },
        Door("Board", "keep(_:for:)") { $0.board.keep($0.makeComponent(), for: $0.screen) },
        Door("Board", reading: "nextToBoard(_:)") { "\($0.board.nextToBoard(.doorkeeper).state)" },
        Door("Board", reading: "nextToBoard(_:with:)") { "\($0.board.nextToBoard(.second, with: 7).state)" },
        Door("Board", "pair(with:)") { $0.board.pair(with: $0.screen) },
        Door("Board", "send(_:)") { $0.board.send(1) },
        Door("Board", reading: "send(_:to:)") { "\($0.board.send(7, to: .second))" },
        Door("Board", "sendAction(_:)") { $0.board.sendAction(Wish.returnHome) },
        Door("Board", "task(_:)") { keys in
            let journal = keys.journal
            keys.tasks.append(keys.board.task { journal.note("ran") })
        },
        Door("Board", "task(_:lasting:_:)") { keys in
            let journal = keys.journal
            keys.tasks.append(keys.board.task(.doors, lasting: .board) { journal.note("ran") })
        },
        Door("Board", reading: "var inner") { "\($0.board.inner.activate(.third, with: 7).state)" },
    ]

    static let busDoors: [Door] = [
        Door("Bus", "connect(_:_:)") { keys in
            keys.bus.connect(keys.journal) { journal, value in journal.note("a door hears \(value)") }
        },
        Door("Bus", "init(for:)") { keys in
            let bus = Bus<Int>(for: keys.slot)
            bus.connect(keys.journal) { journal, value in journal.note("a new bus hears \(value)") }
            bus.send(5)
        },
        Door("Bus", "send(_:)") { $0.bus.send(5) },
    ]

    static let activationDoors: [Door] = [
        Door("Activation", "complete(_:)") { $0.makeActivation().complete() },
        Door("Activation", reading: "send(_:)") { "\($0.makeActivation().send(8))" },
        Door("Activation", waiting: "settled()") { "\(await $0.makeActivation().settled(isolation: $1))" },
        Door("Activation", reading: "var completion") { "\($0.makeActivation().completion?.description ?? "none")" },
        Door("Activation", reading: "var state") { "\($0.makeActivation().state)" },
        Door("OpenedLink", "complete(_:)") { $0.makeLink().complete() },
        Door("OpenedLink", waiting: "settled()") { "\(await $0.makeLink().settled(isolation: $1))" },
        Door("OpenedLink", reading: "var result") { "\($0.makeLink().result)" },
    ]
}
