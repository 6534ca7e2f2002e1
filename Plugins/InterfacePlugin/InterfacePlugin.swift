import Foundation
import PackagePlugin

/// Compiles the Varlink interfaces `*.varlink` of a target to Swift.
@main
struct InterfacePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let tool = try context.tool(named: "varlinkc").url
        let files = try FileManager.default
            .contentsOfDirectory(at: target.directoryURL, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "varlink" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        if files.isEmpty { Diagnostics.error("\(target.name): no interface (*.varlink)") }
        return files.map { file in
            let name = file.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Compiling interface \(file.lastPathComponent)",
                executable: tool,
                arguments: [file, output].map { $0.path(percentEncoded: false) },
                inputFiles: [file],
                outputFiles: [output]
            )
        }
    }
}
