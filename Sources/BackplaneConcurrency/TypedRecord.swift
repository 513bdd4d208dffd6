/// `object` as an `Object`, for callers that have compared types themselves; checked in debug builds only.
///
/// A conditional cast to a generic class costs more than the dictionary look-up before it. The caller compares
/// `ObjectIdentifier`s of the type argument instead, which is exact, and then needs no second check.
package func downcast<Object: AnyObject>(_ object: AnyObject, checkedToBe type: Object.Type) -> Object {
    unsafeDowncast(object, to: type)
}
