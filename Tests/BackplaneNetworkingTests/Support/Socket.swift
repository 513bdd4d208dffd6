import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A TCP socket on the loopback interface, closed when nobody holds it any more.
final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// A socket that listens on a port of the system's choice.
    static func listening() throws -> Socket {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let socket = Socket(try checked(socket(AF_INET, stream, 0)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.descriptor, $0, size) }
        }
        _ = try checked(bound)
        _ = try checked(listen(socket.descriptor, 256))
        return socket
    }

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

    /// The next connection, or `nil` once the socket is shut down.
    func accept() -> Socket? {
        #if canImport(Glibc)
            let connection = Glibc.accept(descriptor, nil, nil)
        #else
            let connection = Darwin.accept(descriptor, nil, nil)
        #endif
        return connection < 0 ? nil : Socket(connection)
    }

    /// The next bytes, or `nil` once the other side has closed.
    func receive() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer.prefix(count)) : nil
    }

    /// Sends all of `data`, unless the other side has closed.
    func send(_ data: Data) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                    Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
                #else
                    Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
                #endif
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends all calls under way and to come.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func checked(_ status: Int32) throws -> Int32 {
        guard status >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return status
    }
}
