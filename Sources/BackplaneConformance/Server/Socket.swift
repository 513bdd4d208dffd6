package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A TCP socket on the loopback interface, which closes when it is released.
package final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
            // A write to a closed connection must not end the process.
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(descriptor) }

    /// Returns a socket that listens on a port chosen by the system, at `127.0.0.1` or `::1`.
    static func listening(onIPv6 isIPv6: Bool = false) throws -> Socket {
        let listener = Socket(try checked(socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)))
        let place: (UnsafePointer<sockaddr>, socklen_t) -> Int32 = { bind(listener.descriptor, $0, $1) }
        _ = try checked(isIPv6 ? withIPv6Address(place) : withAddress(ofPort: 0, place))
        _ = try checked(listen(listener.descriptor, 256))
        return listener
    }

    /// Returns a socket that is connected to a port of this machine.
    package static func connected(to port: UInt16) throws -> Socket {
        let client = Socket(try checked(socket(AF_INET, stream, 0)))
        _ = try checked(withAddress(ofPort: port) { connect(client.descriptor, $0, $1) })
        return client
    }

    #if canImport(Glibc)
        private static var stream: Int32 { Int32(SOCK_STREAM.rawValue) }
    #else
        private static var stream: Int32 { SOCK_STREAM }
    #endif

    private static func withAddress(
        ofPort port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    private static func withIPv6Address(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// The port, which is at the same place in the addresses of both kinds.
    var port: UInt16 {
        get throws {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            _ = try Self.checked(status)
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Blocks until the next connection; returns `nil` once the socket is shut down.
    func nextConnection() -> Socket? {
        let connection = accept(descriptor, nil, nil)
        return connection < 0 ? nil : Socket(connection)
    }

    /// Blocks until the next bytes; returns `nil` once the other side has closed the connection.
    package func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer.prefix(count)) : nil
    }

    /// Blocks until the system has accepted all of `data`.
    ///
    /// - Returns: whether the system accepted all bytes; if not, the other side has closed the
    ///   connection.
    package func write(_ data: Data) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends all current and later calls, and notifies the other side.
    package func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func checked(_ status: Int32) throws -> Int32 {
        guard status >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return status
    }
}
