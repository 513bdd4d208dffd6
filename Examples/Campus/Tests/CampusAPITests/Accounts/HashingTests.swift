import Foundation
import Hashing
import Testing

struct HashingTests {
    @Test func `hashes agree with the examples of FIPS 180`() {
        #expect(
            hexadecimal(Hashing.sha256(Data("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            hexadecimal(Hashing.sha256(Data()))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
    }

    @Test func `message codes agree with the examples of RFC 4231`() {
        let code = Hashing.hmacSHA256(of: Data("what do ya want for nothing?".utf8), key: Data("Jefe".utf8))
        #expect(hexadecimal(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        // A key longer than a block is hashed first.
        let long = Hashing.hmacSHA256(
            of: Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: Data(repeating: 0xaa, count: 131)
        )
        #expect(hexadecimal(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func `keys of passwords agree with the examples of RFC 7914`() throws {
        let key = try Hashing.scrypt(
            password: Data("password".utf8),
            salt: Data("NaCl".utf8),
            rounds: 1024,
            blockSize: 8,
            parallelism: 16
        )
        #expect(hexadecimal(key) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
        let empty = try Hashing.scrypt(password: Data(), salt: Data(), rounds: 16, blockSize: 1, parallelism: 1)
        #expect(hexadecimal(empty) == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442")
    }

    @Test(arguments: [0, 1, 1000] as [UInt64])
    func `scrypt refuses an unusable cost with an error`(rounds: UInt64) throws {
        let error = #expect(throws: HashingError.self) {
            try Hashing.scrypt(
                password: Data("secret".utf8),
                salt: Data(),
                rounds: rounds,
                blockSize: 8,
                parallelism: 1
            )
        }
        #expect(try #require(error).description.contains("N = \(rounds)"))
        #expect(try !#require(error).description.contains("secret"))
    }

    @Test func `values are equal only if their bytes and lengths are equal`() {
        #expect(Hashing.areEqual(Data([1, 2]), Data([1, 2])))
        #expect(Hashing.areEqual(Data(), Data()))
        #expect(!Hashing.areEqual(Data([1, 2]), Data([1, 3])))
        #expect(!Hashing.areEqual(Data([1, 2]), Data([1, 2, 0])))
    }

    @Test func `random bytes have the wanted length and differ`() {
        #expect(Hashing.randomBytes(32).count == 32)
        #expect(Hashing.randomBytes(32) != Hashing.randomBytes(32))
        #expect(Hashing.randomBytes(0).isEmpty)
    }

    private func hexadecimal(_ data: Data) -> String {
        data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
