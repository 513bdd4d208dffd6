public import CampusModels

/// The users that a new database has, with passwords that are no secret.
public enum DemoUsers {
    /// The user that a newcomer is told to log in as.
    public static let ada = LoginRequest(email: "ada@campus.example", password: "correct horse")
    /// A second user, with other courses.
    public static let grace = LoginRequest(email: "grace@campus.example", password: "battery staple")
}
