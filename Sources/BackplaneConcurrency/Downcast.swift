/// Returns `object` as an `Object`, for callers that know its type; only debug builds check the
/// type.
///
/// A conditional cast to a generic class costs more than the dictionary look-up before it. Even an
/// array of generic objects costs a look-up of its type at each use. So a property stores generic
/// objects by their base class. Only one kind of object is put into that property, and the single
/// place that reads it casts with this function.
// Inlined, because passing a generic type as an argument costs the very look-up that this function
// avoids.
@inlinable
@inline(__always)
package func uncheckedDowncast<Object: AnyObject>(_ object: AnyObject, to type: Object.Type) -> Object {
    unsafeDowncast(object, to: type)
}
