import CampusModels

/// A body of a request that checks its texts.
///
/// Every decoded body has this type, so no route can forget the check.
protocol ValidatedBody: Decodable {
    /// Checks the content.
    ///
    /// - Throws: status 422 with the reason.
    func validate() throws
}

extension LoginRequest: ValidatedBody {
    func validate() throws {
        _ = try EmailAddress(email)
        try TextRule.secret.check(password, named: "'password'")
    }
}

extension RefreshRequest: ValidatedBody {
    func validate() throws {
        try TextRule.secret.check(refreshToken, named: "'refreshToken'")
    }
}

extension TodoChange: ValidatedBody {
    func validate() {}
}

extension NewPurchase: ValidatedBody {
    func validate() throws {
        try TextRule.id.check(product.rawValue, named: "'product'")
    }
}

extension FaultsRequest: ValidatedBody {
    func validate() throws {
        try TextRule.faults.check(faults, named: "'faults'")
    }
}

extension NewMessage: ValidatedBody {
    /// The text with a line feed at the end of each line.
    ///
    /// A browser sends a carriage return before it.
    var normalizedText: String { text.replacing("\r\n", with: "\n") }

    func validate() throws {
        if recipients.isEmpty {
            throw APIFailure.invalidContent("'recipients' is empty; name at least one contact.")
        }
        if recipients.count > Self.recipientLimit {
            throw APIFailure.invalidContent("'recipients' has more than \(Self.recipientLimit) contacts; remove some.")
        }
        for recipient in recipients { try TextRule.id.check(recipient.rawValue, named: "'recipients'") }
        let text = normalizedText
        if text.allSatisfy(\.isWhitespace) {
            throw APIFailure.invalidContent("'text' is empty; write something.")
        }
        if text.count > Self.textLimit {
            throw APIFailure.invalidContent("'text' is longer than \(Self.textLimit) characters; shorten it.")
        }
        try TextRule.message.check(text, named: "'text'")
    }
}
