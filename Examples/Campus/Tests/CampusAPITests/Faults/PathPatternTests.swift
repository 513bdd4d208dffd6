import Testing

@testable import CampusAPI

struct PathPatternTests {
    @Test(
        arguments: [
            ("/courses", "/courses", true),
            ("/courses", "/courses/", true),
            ("/courses", "/courses/abc123", false),
            ("/courses/*", "/courses/abc123", true),
            ("/courses/*", "/courses", false),
            ("/courses/*/tutor", "/courses/abc123/tutor", true),
            ("/courses/*/tutor", "/courses/abc123/schedule", false),
            ("/courses/**", "/courses", true),
            ("/courses/**", "/courses/abc123/tutor", true),
            ("/courses/**", "/me", false),
            ("/**", "/", true),
            ("/**", "/a/b/c", true),
            ("/", "/me", false),
        ]
    )
    func `a pattern matches whole segments`(pattern: String, path: String, isMatch: Bool) throws {
        let pattern = try #require(PathPattern(pattern[...]))
        #expect(pattern.matches(path) == isMatch)
    }
}
