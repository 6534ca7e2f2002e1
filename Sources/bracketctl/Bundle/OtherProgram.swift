import Glibc
import Processes

/// Another program that bracketctl runs. The program gets no input and has a time limit.
struct OtherProgram {
    struct Answer {
        var status: Int32
        var output: [UInt8]
        var errors: String

        /// The first line on standard error, as a part of a sentence.
        var complaint: String {
            errors.split(separator: "\n").first.map(String.init) ?? BundleSentences.endedWith(status)
        }
    }

    /// The maximum number of bytes on standard error that are kept.
    private static let errorsMax = 1 << 16

    let path: String

    /// Finds the program with this name in one of these directories.
    init?(_ name: String, in folders: [String]) {
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else { return nil }
        path = "\(folder)/\(name)"
    }

    init(path: String) { self.path = path }

    /// The directories of the system's programs. PATH is not used, because root often packs a bundle.
    static let systemFolders = ["/usr/bin", "/bin"]

    /// Runs the program until it ends.
    ///
    /// - Parameter outputMax: The maximum number of bytes that the program is allowed to print.
    func run(_ arguments: [String], outputMax: Int, within timeMax: Duration) throws(PartError) -> Answer {
        let program = BoundedProgram(path: path, arguments: arguments, keepsEnvironment: true)
        let answer: BoundedProgram.Answer
        do throws(BoundedProgram.Failure) {
            answer = try program.answer(outputMax: outputMax, errorsMax: Self.errorsMax, timeout: timeMax)
        } catch {
            throw PartError(reason: reason(of: error, outputMax: outputMax, timeMax))
        }
        let status =
            switch answer.end {
            case .exited(let code): code
            case .killed(let signal): signal
            }
        return Answer(status: status, output: answer.output, errors: String(decoding: answer.errors, as: UTF8.self))
    }

    private func reason(of failure: BoundedProgram.Failure, outputMax: Int, _ timeMax: Duration) -> String {
        switch failure {
        case .cannotStart(let code): BundleSentences.notStarted(path, String(cString: strerror(code)))
        case .tookTooLong: BundleSentences.didNotEnd(path, withinSeconds: Int(timeMax.components.seconds))
        case .printedTooMuch: BundleSentences.printedTooMuch(path, byteCountMax: outputMax)
        case .crashed(let status), .failed(let status): BundleSentences.endedWith(status)
        }
    }
}
