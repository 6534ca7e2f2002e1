import Foundation
import PackagePlugin

/// Draws the charts `statecharts/*.scxml` of the package. The output extends the target's `ChartPicture`.
@main
struct ChartPicturePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let tool = try context.tool(named: "chartc").url
        let folder = context.package.directoryURL.appending(path: "statecharts")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "scxml" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { chart in
                let name = chart.deletingPathExtension().lastPathComponent
                let output = context.pluginWorkDirectoryURL.appending(path: "ChartPicture+\(name).swift")
                return .buildCommand(
                    displayName: "Drawing chart \(chart.lastPathComponent)",
                    executable: tool,
                    arguments: ["--picture"] + [chart, output].map { $0.path(percentEncoded: false) },
                    inputFiles: [chart],
                    outputFiles: [output]
                )
            }
    }
}
