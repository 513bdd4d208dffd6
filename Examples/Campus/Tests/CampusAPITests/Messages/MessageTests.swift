import CampusAPI
import CampusModels
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
    @Test func `a user's contacts are the tutors and students of the user's courses`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada).accessToken
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            let adas: [Contact] = try await api.get("/contacts", token: ada).decoded()
            let graces: [Contact] = try await api.get("/contacts", token: grace).decoded()
            #expect(
                adas == [
                    Contact(id: "tutor-babbage", name: "Charles Babbage", role: .tutor),
                    Contact(id: "tutor-noether", name: "Emmy Noether", role: .tutor),
                    Contact(id: "student-grace", name: "Grace Hopper", role: .student),
                    Contact(id: "tutor-merian", name: "Maria Sibylla Merian", role: .tutor),
                ]
            )
            #expect(graces.map(\.name) == ["Ada Lovelace", "Donald Knuth", "Emmy Noether"])
        }
    }

    @Test func `messages are stored for their sender, the newest first, and survive a restart`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let (token, sent) = try await withAPI(configuration) { api in
                let token = try await api.signIn(DemoUsers.ada).accessToken
                let recipients: [Contact.ID] = ["student-grace", "tutor-babbage", "student-grace"]
                let first = try await api.post(
                    "/messages",
                    NewMessage(recipients: recipients, text: "Hi"),
                    token: token
                )
                #expect(first.status == 201)
                let second = try await api.post(
                    "/messages",
                    NewMessage(recipients: ["tutor-noether"], text: "Is the door open?\nToday? 🚪"),
                    token: token
                )
                return (token, [try second.decoded(as: Message.self), try first.decoded(as: Message.self)])
            }
            #expect(sent.map(\.text) == ["Is the door open?\nToday? 🚪", "Hi"])
            #expect(sent.map { $0.recipients.map(\.name) } == [["Emmy Noether"], ["Charles Babbage", "Grace Hopper"]])
            try await withAPI(configuration) { api in
                #expect(try await api.get("/messages", token: token).decoded() == MessagePage(messages: sent))
                let grace = try await api.signIn(DemoUsers.grace).accessToken
                #expect(try await api.get("/messages", token: grace).decoded() == MessagePage(messages: []))
            }
        }
    }

    @Test(
        arguments: [
            (NewMessage(recipients: [], text: "Hi"), "'recipients' is empty; name at least one contact."),
            (NewMessage(recipients: ["tutor-babbage"], text: " \n\t"), "'text' is empty; write something."),
            (
                NewMessage(recipients: ["tutor-babbage"], text: String(repeating: "x", count: 2001)),
                "'text' is longer than 2000 characters; shorten it."
            ),
            (
                NewMessage(recipients: ["tutor-babbage"], text: String(repeating: "e\u{301}\u{301}", count: 1601)),
                "'text' is longer than 8000 bytes; shorten it."
            ),
            (
                NewMessage(recipients: Array(repeating: "tutor-babbage", count: 101), text: "Hi"),
                "'recipients' has more than 100 contacts; remove some."
            ),
            (
                NewMessage(recipients: ["tutor-babbage", "tutor-knuth"], text: "Hi"),
                "One of 'recipients' is not your contact. GET /contacts lists them."
            ),
        ]
    )
    func `an invalid message is refused with the reason and not stored`(
        message: NewMessage,
        reason: String
    ) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.post("/messages", message, token: token)
            #expect(answer.status == 422)
            #expect(try answer.error == APIError(code: .invalidContent, message: reason))
            #expect(try await api.get("/messages", token: token).decoded() == MessagePage(messages: []))
        }
    }

    @Test func `a text may be as long as its limit`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let text = String(repeating: "é", count: NewMessage.textLimit)
            let answer = try await api.post(
                "/messages",
                NewMessage(recipients: ["tutor-babbage"], text: text),
                token: token
            )
            #expect(answer.status == 201)
        }
    }

    @Test func `contacts and messages need a token`() async throws {
        try await withAPI { api in
            for path in ["/contacts", "/messages"] {
                #expect(try await api.get(path).status == 401)
            }
            let answer = try await api.post("/messages", NewMessage(recipients: ["tutor-babbage"], text: "Hi"))
            #expect(answer.status == 401)
        }
    }
}
