import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

struct CacheDirectivesTests {
    private func directives(_ values: String...) -> CacheDirectives {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .cacheControl, value: value)) }
        return CacheDirectives(of: fields)
    }

    @Test(
        .rule("H5"),
        arguments: [
            ("max-age=60", 60), ("MAX-Age=60", 60), ("max-age=\"60\"", 60), ("max-age=060", 60),
            (",, max-age=60 ,", 60),
            ("a=\"x, max-age=9\", max-age=60", 60), ("a=\"\\\"\", max-age=60", 60), ("max-age=60, max-age=60", 60),
            ("max-age=99999999999999999999999", 2_147_483_648), ("max-age=2147483649", 2_147_483_648),
            // The most restrictive of all meanings.
            ("max-age=60, max-age=5", 5), ("max-age=5, max-age=60", 5), ("max-age", 0), ("max-age=", 0),
            ("max-age=-60", 0), ("max-age=+60", 0), ("max-age=60.5", 0), ("max-age=1e3", 0), ("max-age=60s", 0),
            ("max-age='60'", 0), ("max-age = 60", 0), ("max-age =60", 0), ("max-age= 60", 0), ("max-age 60", 0),
            ("max-age=٦٠", 0), ("max-age=60;x", 0), ("max-age=\"\"", 0), ("max-age=60, max-age=x", 0),
        ]
    )
    func `a number of seconds is read strictly, and the most restrictive one counts`(text: String, seconds: Int) {
        #expect(directives(text).maxAge == Double(seconds))
    }

    @Test(.rule("H5"), arguments: ["x-max-age=60", "a=max-age=60", "a=\"max-age=60\"", "", "s-maxage=60"])
    func `another directive is no max-age`(text: String) {
        #expect(directives(text).maxAge == nil)
    }

    @Test(.rule("H5")) func `repeated fields are one list`() {
        let directives = directives("private", "max-age=60, No-Cache=\"a, b\"", "no-store")
        #expect(directives.maxAge == 60)
        #expect(directives.noCache && directives.noStore && directives.permitsStoring)
    }

    @Test(.rule("H5"), arguments: ["max-age=60, a=\"", "\"", "a=\"\\", "a=\"\\\""])
    func `a list with an open quotation forbids storing`(text: String) {
        #expect(directives(text).noStore)
    }

    @Test(.rule("H5"), arguments: ["no-store=x", "no-store=\"\"", "no-store x", "NO-STORE"])
    func `a malformed no-store counts`(text: String) {
        #expect(directives(text).noStore)
    }

    @Test(
        .rule("H6"),
        arguments: [
            ("max-stale", Double.infinity), ("max-stale=5", 5), ("max-stale, max-stale=5", 5), ("max-stale=x", 0),
            ("max-stale x", 0), ("max-age=1", nil),
        ]
    )
    func `a max-stale without a number accepts any age`(text: String, seconds: Double?) {
        #expect(directives(text).maxStale == seconds)
    }

    @Test(
        .rule("H6"),
        arguments: [("min-fresh=5", 5.0), ("min-fresh=5, min-fresh=9", 9), ("min-fresh=x", 2_147_483_648)]
    )
    func `the most restrictive min-fresh counts`(text: String, seconds: Double) {
        #expect(directives(text).minFresh == seconds)
    }
}
