import Testing

@testable import BackplaneNetworking

struct SipKeyTests {
    /// Some of the test vectors that the authors of the function published.
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)]
    )
    func `a digest is the one of SipHash-2-4`(length: Int, digest: UInt64) {
        let key = SipKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)
        #expect(key.digest((0..<length).map { UInt8($0) }) == digest)
    }
}
