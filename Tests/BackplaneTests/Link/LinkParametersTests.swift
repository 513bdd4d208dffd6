import Foundation
import TestSupport
import Testing

@testable import Backplane

private enum Tab: String, LinkParameter {
    case tutor
    case todos
}

private struct CourseID: RawRepresentable, LinkParameter, Equatable {
    let rawValue: Int
}

private struct NoParameters: Error {}

private func parameters(_ template: LinkTemplate, _ link: String) throws -> LinkParameters {
    var router = LinkRouter<Void>()
    router.add(template, ())
    guard case .match(_, let parameters) = router.match(link) else { throw NoParameters() }
    return parameters
}

struct LinkParametersTests {
    @Test(.rule("B38")) func `a parameter is read as the requested type`() throws {
        let link = try parameters("a/{text}/{number}/{flag}/{real}?tab={tab}", "/a/x/-7/true/2.5?tab=todos")
        let text: String = try link["text"]
        #expect(text == "x")
        #expect(try link["number"] == -7)
        #expect(try link["number"] == CourseID(rawValue: -7))
        #expect(try link["number"] as Int8 == -7)
        #expect(try link["flag"] == true)
        #expect(try link["real"] == 2.5)
        #expect(try link["tab"] == Tab.todos)
    }

    @Test(.rule("B38")) func `a parameter of another type is read with the initializer of that type`() throws {
        let uuid = UUID()
        let link = try parameters("order/{id}", "/order/\(uuid.uuidString)")
        #expect(try link["id", UUID.init(uuidString:)] == uuid)
        #expect(throws: LinkError.self) { try parameters("order/{id}", "/order/7")["id", UUID.init(uuidString:)] }
    }

    @Test(.rule("B38")) func `a query parameter that is read as an optional may be missing`() throws {
        let link = try parameters("a?tab={tab}&page={page}", "/a?page=2")
        let tab: Tab? = try link["tab"]
        let page: Int? = try link["page"]
        #expect(tab == nil)
        #expect(page == 2)
        #expect(try link["tab"] ?? Tab.tutor == .tutor)
        if let tab: Tab = try link["tab"] { Issue.record("The link has no tab, but \(tab) was read.") }
    }

    @Test func `the error of a missing parameter suggests an optional`() throws {
        let link = try parameters("a?tab={tab}", "/a")
        let error = try #require(throws: LinkError.self) { try link["tab"] as Tab }
        #expect(error.code == .missingParameter)
        #expect(error.message.contains("\"tab\"") && error.message.contains("Tab?"))
    }

    @Test func `the error of a parameter of a wrong type has its name and type, but not its value`() throws {
        let link = try parameters("a/{id}?tab={tab}", "/a/secret?tab=secret")
        let error = try #require(throws: LinkError.self) { try link["id"] as CourseID }
        #expect(error.code == .unconvertibleParameter)
        #expect(error.message.contains("\"id\"") && error.message.contains("CourseID"))
        #expect(!error.description.contains("secret"))
        let optional = try #require(throws: LinkError.self) { try link["tab"] as Tab? }
        #expect(optional.code == .unconvertibleParameter)
    }

    @Test func `the error of an unknown parameter lists the parameters of the template`() throws {
        let link = try parameters("a/{id}?tab={tab}", "/a/1")
        let error = try #require(throws: LinkError.self) { try link["ID"] as String? }
        #expect(error.code == .unknownParameter)
        #expect(error.message.contains("\"ID\"") && error.message.contains("[id, tab]"))
    }

    @Test func `a description lists names and no values`() throws {
        let link = try parameters("a/{id}?tab={tab}", "/a/secret?tab=secret")
        #expect("\(link)" == "LinkParameters(id, tab)")
    }

    @Test func `an integer is decimal and in range, a Double is finite, and a Boolean is true or false`() {
        for text in ["9223372036854775808", "", "1.0", "0x1F", " 1", "１", "one"] {
            #expect(Int(linkText: text) == nil, "\(text)")
        }
        #expect(UInt8(linkText: "256") == nil)
        for text in ["nan", "inf", "1e999", "", "1,5"] { #expect(Double(linkText: text) == nil, "\(text)") }
        for text in ["1", "TRUE", "yes", ""] { #expect(Bool(linkText: text) == nil, "\(text)") }
        #expect(Bool(linkText: "false") == false)
    }
}
