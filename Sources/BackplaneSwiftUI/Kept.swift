#if canImport(SwiftUI)
    public import SwiftUI

    /// A property of a view with an object that is made once and kept as long as the view is shown.
    ///
    /// SwiftUI creates a view again at each update of the views above it. The kept object stays the
    /// same. Unlike `@State`, the property can use values that the view receives, and it makes the
    /// object when the view first reads it, not at each update.
    ///
    /// ```swift
    /// struct CourseView: View {
    ///     let courseId: String
    ///     @Kept private var loader: Loader<String, Course>
    ///
    ///     init(courseId: String, loadCourse: @escaping (String) async throws -> Course) {
    ///         self.courseId = courseId
    ///         _loader = Kept { Loader(loadCourse) }
    ///     }
    ///
    ///     var body: some View {
    ///         LoadView(loader.state, retry: loader.retry) { course in Text(course.name) }
    ///             .task(id: courseId) { loader.load(courseId) }
    ///     }
    /// }
    /// ```
    ///
    /// **Isolation.** The object is made and read on the main actor.
    ///
    /// **Lifetime.** The object lives as long as `@State` would keep it: until the view's identity
    /// ends. Later values of the view do not replace it; use `id(_:)` or `task(id:)` for them.
    @propertyWrapper
    public struct Kept<Object: AnyObject>: DynamicProperty {
        private final class Box {
            var object: Object?
        }

        // A default only, because Xcode 27 refuses or ignores an assignment in an initializer. And
        // every initializer is in this file: in another one, it would not link
        // (swiftlang/swift#91700).
        @State private var box = Box()
        private let make: @MainActor () -> Object

        /// Creates a property that makes its object with a closure.
        ///
        /// - Parameter make: makes the object; called at most once for each identity of the view.
        public init(_ make: @escaping @MainActor () -> Object) {
            self.make = make
        }

        /// Creates a property from its initial value, which is evaluated when it is first read.
        ///
        /// ```swift
        /// @Kept private var model = ComposerModel()
        /// ```
        ///
        /// - Parameter wrappedValue: the object; evaluated at most once for each identity of the
        ///   view.
        public init(wrappedValue: @autoclosure @escaping @MainActor () -> Object) {
            make = wrappedValue
        }

        /// The object.
        ///
        /// Read it in `body` or in an action, not in the initializer of the view.
        @MainActor public var wrappedValue: Object {
            if let object = box.object { return object }
            let object = make()
            box.object = object
            return object
        }
    }
#endif
