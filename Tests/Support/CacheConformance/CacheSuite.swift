package import Foundation

/// A part of a suite in the format of http-tests/cache-tests.
package struct CacheSuite: Decodable, Sendable {
    package let id: String
    package let tests: [CacheTest]

    /// Reads all parts in a file.
    package static func parts(in file: URL) throws -> [CacheSuite] {
        try JSONDecoder().decode([CacheSuite].self, from: Data(contentsOf: file))
    }
}

/// A test: requests that are made one after another.
package struct CacheTest: Decodable, Sendable {
    package enum Kind: String, Decodable, Sendable {
        case required
        case optimal
        case check
    }

    package let id: String
    package let kind: Kind
    package let isForBrowsers: Bool
    package let isForOthers: Bool
    package let isForServers: Bool
    package let needs: [String]
    package let requests: [CacheTestRequest]

    private enum Key: String, CodingKey {
        case id, kind, requests
        case isForBrowsers = "browser_only"
        case isForOthers = "browser_skip"
        case isForServers = "cdn_only"
        case needs = "depends_on"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.decode(String.self, forKey: .id)
        kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .required
        isForBrowsers = try values.decodeIfPresent(Bool.self, forKey: .isForBrowsers) ?? false
        isForOthers = try values.decodeIfPresent(Bool.self, forKey: .isForOthers) ?? false
        isForServers = try values.decodeIfPresent(Bool.self, forKey: .isForServers) ?? false
        needs = try values.decodeIfPresent([String].self, forKey: .needs) ?? []
        requests = try values.decode([CacheTestRequest].self, forKey: .requests)
    }
}

/// A request of a test, the server's response to it, and what the client must get.
package struct CacheTestRequest: Decodable, Sendable {
    let method: String?
    let headers: [CacheTestField]?
    let body: String?
    let query: String?
    let file: String?
    let fetchMode: String?
    let pauses: Bool?
    let disconnects: Bool?
    let hasFullLocations: Bool?
    let obsoleteDates: [String]?
    let status: Status?
    let responseHeaders: [CacheTestField]?
    /// The body of the response; `nil` is the test's own, and the inner `nil` is none.
    let responseBody: String??
    let checksBody: Bool?
    let isSetup: Bool?
    let setupChecks: [String]?
    let expectedType: String?
    let expectedStatus: Int?
    let expectedMethod: String?
    let expectedRequestHeaders: [CacheTestField]?
    let unexpectedRequestHeaders: [CacheTestField]?
    let expectedHeaders: [CacheTestField]?
    let unexpectedHeaders: [CacheTestField]?
    let expectedText: String??

    /// A status and its phrase.
    struct Status: Decodable {
        let code: Int

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            code = try values.decode(Int.self)
        }
    }

    private enum Key: String, CodingKey {
        case method = "request_method"
        case headers = "request_headers"
        case body = "request_body"
        case query = "query_arg"
        case file = "filename"
        case fetchMode = "cache"
        case pauses = "pause_after"
        case disconnects = "disconnect"
        case hasFullLocations = "magic_locations"
        case obsoleteDates = "rfc850date"
        case status = "response_status"
        case responseHeaders = "response_headers"
        case responseBody = "response_body"
        case checksBody = "check_body"
        case isSetup = "setup"
        case setupChecks = "setup_tests"
        case expectedType = "expected_type"
        case expectedStatus = "expected_status"
        case expectedMethod = "expected_method"
        case expectedRequestHeaders = "expected_request_headers"
        case unexpectedRequestHeaders = "expected_request_headers_missing"
        case expectedHeaders = "expected_response_headers"
        case unexpectedHeaders = "expected_response_headers_missing"
        case expectedText = "expected_response_text"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: key)
        }
        func text(_ key: Key) throws -> String?? {
            values.contains(key) ? .some(try values.decode(String?.self, forKey: key)) : nil
        }
        method = try value(.method)
        headers = try value(.headers)
        body = try value(.body)
        query = try value(.query)
        file = try value(.file)
        fetchMode = try value(.fetchMode)
        pauses = try value(.pauses)
        disconnects = try value(.disconnects)
        hasFullLocations = try value(.hasFullLocations)
        obsoleteDates = try value(.obsoleteDates)
        status = try value(.status)
        responseHeaders = try value(.responseHeaders)
        responseBody = try text(.responseBody)
        checksBody = try value(.checksBody)
        isSetup = try value(.isSetup)
        setupChecks = try value(.setupChecks)
        expectedType = try value(.expectedType)
        expectedStatus = try value(.expectedStatus)
        expectedMethod = try value(.expectedMethod)
        expectedRequestHeaders = try value(.expectedRequestHeaders)
        unexpectedRequestHeaders = try value(.unexpectedRequestHeaders)
        expectedHeaders = try value(.expectedHeaders)
        unexpectedHeaders = try value(.unexpectedHeaders)
        expectedText = try text(.expectedText)
    }

    /// Whether a failure of a check means that the test could not be set up.
    func isSetup(_ check: String) -> Bool { isSetup == true || setupChecks?.contains(check) == true }
}

/// A header field of a test: a name alone, or with a value, a difference to now, or a comparison.
struct CacheTestField: Decodable, Sendable {
    enum Value: Sendable {
        case text(String)
        case number(Int)
        case equals(String)
        case exceeds(Int)
    }

    let name: String
    let value: Value?
    /// Whether the client must get the field as the server sent it.
    let isChecked: Bool

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            (self.name, value, isChecked) = (name, nil, true)
            return
        }
        var values = try decoder.unkeyedContainer()
        name = try values.decode(String.self)
        if let number = try? values.decode(Int.self) {
            value = .number(number)
            isChecked = values.isAtEnd ? true : try values.decode(Bool.self)
            return
        }
        let text = try values.decode(String.self)
        if values.isAtEnd {
            (value, isChecked) = (.text(text), true)
        } else if let isChecked = try? values.decode(Bool.self) {
            (value, self.isChecked) = (.text(text), isChecked)
        } else if text == "=" {
            (value, isChecked) = (.equals(try values.decode(String.self)), true)
        } else {
            (value, isChecked) = (.exceeds(try values.decode(Int.self)), true)
        }
    }
}
