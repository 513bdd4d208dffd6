/// Whether what a task does is tried again by somebody further out, so that whoever is further in leaves it at one try.
///
/// Retries of retries multiply: three tries of each of nine are 27 requests to a server that has trouble enough (N18).
package enum Retrying {
    @TaskLocal package static var isUnderWay = false
}
