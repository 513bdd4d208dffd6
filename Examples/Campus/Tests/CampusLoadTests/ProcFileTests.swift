import Testing

@testable import campus_load

@Suite struct ProcFileTests {
    @Test func `a size is read in bytes from the line with exactly its name`() {
        let text = "VmHWM:\t    300 kB\nVmRSS:\t    200 kB\nThreads:\t4\nPss_Dirty:   7 kB\nPss:         5 kB\n"
        #expect(ProcFile.bytes("VmRSS", in: text) == 200 * 1024)
        #expect(ProcFile.bytes("Pss", in: text) == 5 * 1024)
        #expect(ProcFile.bytes("Threads", in: text) == nil)
        #expect(ProcFile.bytes("VmSwap", in: text) == nil)
    }

    @Test(arguments: ["campus", "a (b) c"])
    func `the CPU time is the sum of user and system time, for any name of the program`(name: String) {
        let text = "77 (\(name)) S 1 77 77 0 -1 4194304 900 0 0 0 150 50 0 0 20 0 5 0 12345 1000 200"
        #expect(ProcFile.cpuTime(inStat: text) == .seconds(2))
    }

    @Test func `a text that is not a stat file has no CPU time`() {
        #expect(ProcFile.cpuTime(inStat: "") == nil)
        #expect(ProcFile.cpuTime(inStat: "77 (campus) S 1") == nil)
    }

    @Test(arguments: [("1024", 1024), ("unlimited", Int.max)])
    func `the number of open files is the soft limit`(soft: String, limit: Int) {
        let text = """
            Limit                     Soft Limit           Hard Limit           Units
            Max processes             500                  600                  processes
            Max open files            \(soft)                 524288               files
            """
        #expect(ProcFile.openFiles(inLimits: text) == limit)
        #expect(ProcFile.openFiles(inLimits: "") == nil)
    }
}
