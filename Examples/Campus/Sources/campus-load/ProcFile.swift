/// Values in the files that Linux keeps in `/proc` for each process.
enum ProcFile {
    /// Returns the value of a line such as `VmRSS:   512 kB`, in bytes; `nil` if there is none.
    static func bytes(_ name: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count == 3, words[2] == "kB" else { return nil }
        return Int(words[1]).map { $0 * 1024 }
    }

    /// Returns the CPU time of a process from its file `stat`, in all threads.
    static func cpuTime(inStat text: String) -> Duration? {
        // The name of the program is in parentheses and may contain spaces. It is field 2, and the
        // times are fields 14 and 15, in hundredths of a second.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return nil }
        return .milliseconds(10 * (user + system))
    }

    /// Returns the number of files that a process may open from its file `limits`.
    static func openFiles(inLimits text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files ") }
        guard let soft = line?.split(separator: " ").dropFirst(3).first else { return nil }
        return soft == "unlimited" ? Int.max : Int(soft)
    }
}
