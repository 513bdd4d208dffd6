import TestSupport
import Testing

/// The list of doors is complete, so that no public member avoids the tests that walk through it.
struct DoorListTests {
    @Test(.rule("B71", "B80")) func `every public member of a slot is in the table of doors, or has a reason`() throws {
        let api = try PublicMembers(of: "Backplane")
        let listed = Door.all.map { ($0.type, $0.member) } + Door.without.map { ($0.type, $0.member) }
        for type in Set(listed.map(\.0)).union(["Board", "Slot"]).union(api.confinedTypes).sorted()
        where !Door.harmlessTypes.contains(type) {
            #expect(listed.filter { $0.0 == type }.map(\.1).sorted() == api.members(of: type), "\(type)")
        }
    }

    // Navigation has one door more, which its own tests use.
    @Test(.rule("B71", "B80"), arguments: ["BackplaneFeatures", "BackplaneRemote", "BackplaneStorage"])
    func `other modules add no members to slots and boards`(product: String) throws {
        let api = try PublicMembers(of: product)
        #expect(api.members(of: "Slot").isEmpty)
        #expect(api.members(of: "Board").isEmpty)
    }
}
