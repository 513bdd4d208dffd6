/// A reason why nothing was generated, in one sentence.
package struct GeneratorError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
