import Foundation
import TestSupport
import Testing

@testable import BackplaneTesting

/// Tests of the text of values in failures.
struct ValueTextTests {
    struct Point: Equatable {
        let x: Int
        let label: String?
    }

    enum Shape {
        case empty
        case circle(Point)
        case box(from: Point, to: Point)
        case named(name: String)
        indirect case pair(Shape, Shape)
    }

    struct Secret: CustomStringConvertible {
        let value = "swordfish"
        var description: String { "hidden" }
    }

    struct DebuggedSecret: CustomDebugStringConvertible {
        let value = "swordfish"
        var debugDescription: String { "hidden from debugging" }
    }

    final class Model {
        let name = "Ada"
    }

    @Test(arguments: [
        (3 as any Sendable, "3"), (true, "true"), (1.5, "1.5"), ("a \"b\"", #""a \"b\"""#), ("c" as Character, #""c""#),
        ("abc".dropFirst(), #""bc""#), (Int?.none, "nil"), (Int?.some(3), "3"), (String??.some("a"), #""a""#),
        ([1, 2], "[1, 2]"), (["a"] as Set, #"["a"]"#),
        (["b": 1, "e": 5, "a": 2, "d": 4, "c": 3], #"["a": 2, "b": 1, "c": 3, "d": 4, "e": 5]"#),
        ([String: Int](), "[:]"),
        ([String](), "[]"), (URL(filePath: "/a"), "file:///a"),
    ])
    func `a value with a Swift literal is written as that literal`(value: any Sendable, text: String) {
        #expect(ValueText(value).text == text)
    }

    @Test func `other values are written as initializer calls and cases`() {
        let point = Point(x: 1, label: "a")
        #expect(ValueText(point).text == #"Point(x: 1, label: "a")"#)
        #expect(ValueText((1, b: "c")).text == #"(1, b: "c")"#)
        #expect(ValueText(Shape.empty).text == ".empty")
        #expect(ValueText(Shape.circle(point)).text == #".circle(Point(x: 1, label: "a"))"#)
        #expect(ValueText(Shape.named(name: "a")).text == #".named(name: "a")"#)
        #expect(ValueText(Shape.pair(.empty, .empty)).text == ".pair(.empty, .empty)")
        let box = Shape.box(from: Point(x: 1, label: nil), to: Point(x: 2, label: nil))
        #expect(ValueText(box).text == ".box(from: Point(x: 1, label: nil), to: Point(x: 2, label: nil))")
        #expect(ValueText(qualified: Shape.empty).text == "Shape.empty")
        #expect(ValueText(qualified: point).text == #"Point(x: 1, label: "a")"#)
    }

    @Test func `a custom description is used, and an object is written as its type`() {
        #expect(ValueText(Secret()).text == "hidden")
        #expect(ValueText([Secret()]).text == "[hidden]")
        #expect(ValueText(DebuggedSecret()).text == "hidden from debugging")
        #expect(ValueText(Model()).text == "Model")
    }

    @Test func `a value that does not fit on one line has one line per part`() {
        let names = ["a long first name", "a long second name", "a long third name", "a long fourth name"]
        #expect(
            ValueText((1, names: names)).text == """
                (
                    1,
                    names: [
                        "a long first name",
                        "a long second name",
                        "a long third name",
                        "a long fourth name",
                    ],
                )
                """
        )
        #expect(ValueText((Shape.empty, names.prefix(3).map(\.count))).text == "(.empty, [17, 18, 17])")
    }
}
