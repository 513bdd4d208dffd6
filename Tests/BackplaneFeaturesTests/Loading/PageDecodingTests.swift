import BackplaneFeatures
import Foundation
import Testing

struct PageDecodingTests {
    @Test(arguments: [
        (#"{"items":[1,2],"next":"b"}"#, "b"),
        (#"{"items":[1,2]}"#, nil),
        (#"{"next":null,"total":2,"items":[1,2]}"#, nil),
    ])
    func `a page has items, and a cursor unless it is the last one`(json: String, next: String?) throws {
        let page = try JSONDecoder().decode(Page<String, Int>.self, from: Data(json.utf8))
        #expect(page.items == [1, 2])
        #expect(page.next == next)
    }

    @Test(arguments: [#"{"data":[1]}"#, #"{"items":null}"#, "[1]", #"{"items":[1],"next":2}"#])
    func `a list in another form is not a page`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Page<String, Int>.self, from: Data(json.utf8))
        }
    }
}
