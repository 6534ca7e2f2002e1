import Controller
import Interface
import Varlink

/// The file in the storage directory that contains the armed plan. It does not exist while no plan is armed.
package struct ArmedPlanFile: Sendable {
    package static let fileName = "armed-plan.json"
    private static let temporaryFileName = ".armed-plan.json.new"
    private static let sizeMax = 4096

    private let directory: StorageDirectory

    package init(directory: StorageDirectory) {
        self.directory = directory
    }

    /// - Returns: the armed plan or nil, and a notice when the file exists but contains no valid plan.
    package func read() throws(StorageError) -> (plan: PlanInput?, notice: String?) {
        directory.removeLeftover(Self.temporaryFileName)
        guard let content = try directory.read(Self.fileName, sizeMax: Self.sizeMax), !content.isEmpty else {
            return (nil, nil)
        }
        guard let value = try? JSONValue(parsing: content), let plan = try? Bracketd.PlanInput(value) else {
            return (nil, DaemonSentences.planDamaged("\(directory.path)/\(Self.fileName)"))
        }
        return (PlanInput(plan), nil)
    }

    /// Writes the armed plan durably. Without a plan (nil) it removes the file.
    package func write(_ plan: PlanInput?) throws(StorageError) {
        let text = plan.map { "\(Bracketd.PlanInput($0).json)\n" } ?? ""
        try directory.write(Array(text.utf8), to: Self.fileName, by: Self.temporaryFileName)
    }
}
