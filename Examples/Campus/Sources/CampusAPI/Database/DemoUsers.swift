public import CampusModels

/// The users of a new database, with passwords that are not secret.
public enum DemoUsers {
    /// The user that the documentation signs in as.
    public static let ada = LoginRequest(email: "ada@campus.example", password: "correct horse")
    /// A second user, with other courses.
    public static let grace = LoginRequest(email: "grace@campus.example", password: "battery staple")
}
