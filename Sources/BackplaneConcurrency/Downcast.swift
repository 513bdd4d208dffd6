/// `object` as an `Object`, for callers that know what it is; checked in debug builds only.
///
/// A conditional cast to a generic class costs more than the dictionary look-up before it, and even an array of generic
/// objects costs a look-up of its type at each use. So generic objects are stored by their base class, in a property that
/// only they are put into, and the one place that takes them out says what they are.
// Inlined, because passing a generic type as an argument is the very look-up that is to be avoided.
@inlinable
@inline(__always)
package func downcast<Object: AnyObject>(_ object: AnyObject, to type: Object.Type) -> Object {
    unsafeDowncast(object, to: type)
}
