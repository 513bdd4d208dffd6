import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting

/// An operation of the run, as it stands in the body of its request.
///
/// Its number decides everything about it. So the driver knows what must become of it.
struct TortureOperation: Codable, Hashable, Sendable {
    /// How the server answers.
    enum Fate: String, Sendable {
        /// It is carried out.
        case accepted
        /// It is refused with 422.
        case refused
        /// It is refused with 412, because 409 may mean that an attempt is still in progress.
        case conflicting
    }

    let number: Int
    let account: String

    var fate: Fate { Self.fate(of: number) }

    private static func fate(of number: Int) -> Fate {
        switch number % 16 {
        case 7: .refused
        case 11: .conflicting
        default: .accepted
        }
    }

    /// The state in which an operation stays in the file, or `nil` if it leaves the file.
    static func lastState(of number: Int) -> String? {
        switch fate(of: number) {
        case .accepted: nil
        case .refused: "dead"
        case .conflicting: "conflict"
        }
    }

    /// An operation that stays in the file blocks its entity, so it has an entity of its own.
    var entity: String {
        guard fate == .accepted else { return "\(fate)-\(number)" }
        var generator = SeededGenerator(seed: UInt64(number))
        return "entity-\(generator.below(4))"
    }

    /// Returns the kinds of all operations, with the key window that the client believes in.
    static func kinds(keyWindow: Duration) -> [OutboxKind] {
        [OutboxKind("notes", keyWindow: keyWindow), OutboxKind("purchases", keyWindow: keyWindow)]
    }

    /// The place of its kind in ``kinds(keyWindow:)``.
    var kind: Int { number % 2 }
}

/// The response to an operation.
struct Receipt: Codable, Sendable {
    let number: Int
}

/// Whether the server has carried out an operation.
struct Finding: Codable, Sendable {
    let isExecuted: Bool
}

extension AuthenticatedKeyedEndpoint<Receipt> {
    static func perform(_ operation: TortureOperation) -> Self {
        Self(.post("operations", body: .json(operation)))
    }
}

extension AuthenticatedEndpoint<Finding> {
    /// Asks whether an operation was carried out (D14).
    static func finding(about number: String) -> Self { Self(.get("executed/\(number)")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func logIn(as account: String) -> Self { Self(.post("log-in", body: .json(["account": account]))) }

    static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("refresh", body: .json(["token": token.rawValue])))
    }
}
