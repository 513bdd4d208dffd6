import TestSupport
import Testing

/// Tests that requesting a result from a board without outputs does not compile.
struct ResultTypesTests {
    private static func snippet(_ body: String) -> String {
        """
        import Backplane

        enum Picker: BoardContract { typealias Output = String }
        enum Search: BoardContract {
            typealias Input = Int
            typealias Output = String
        }
        enum Silent: BoardContract {}
        enum Mute: BoardContract { typealias Input = Int }
        extension BoardID<Picker> { static var picker: Self { "picker" } }
        extension BoardID<Search> { static var search: Self { "search" } }
        extension BoardID<Silent> { static var silent: Self { "silent" } }
        extension BoardID<Mute> { static var mute: Self { "mute" } }

        @MainActor func use(_ motherboard: Motherboard) async throws {
            \(body)
        }
        """
    }

    @Test(
        .rule("B12"),
        arguments: [
            "_ = try await motherboard.result(of: .picker)",
            "_ = try await motherboard.result(of: .search, with: 1)",
            "motherboard.activate(.silent)",
            "motherboard.activate(.mute, with: 1)",
        ]
    )
    func `a board with outputs has a result (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        .rule("B12"),
        arguments: [
            "_ = try await motherboard.result(of: .silent)",
            "try await motherboard.result(of: .silent)",
            "let result = try await motherboard.result(of: .silent)",
            "_ = try await motherboard.result(of: .mute, with: 1)",
        ]
    )
    func `a board whose Output is Never has no result, and the error points to the reason`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.errors.count == 1)
        #expect(compilation.errors.first?.hasPrefix("ambiguous use of 'result(of:") == true, "\(compilation)")
        #expect(compilation.output.contains("/NoResult.swift:"), "\(compilation)")
    }
}
