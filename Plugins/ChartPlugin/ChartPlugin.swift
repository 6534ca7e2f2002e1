import Foundation
import PackagePlugin

/// Compiles charts to Swift. The charts are in the target's folder `Charts` if it has any, otherwise in the package's
/// folder `statecharts`. A file `charts.json` in the same folder has the options (`CompilerConfiguration`).
@main
struct ChartPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let tool = try context.tool(named: "chartc").url
        let shared = context.package.directoryURL.appending(path: "statecharts")
        let own = target.directoryURL.appending(path: "Charts")
        let folder = try Self.charts(in: own).isEmpty ? shared : own
        let charts = try Self.charts(in: folder)
        if charts.isEmpty {
            Diagnostics.error("\(target.name): no chart (*.scxml) in \(Self.path(own)) or \(Self.path(shared))")
        }
        let configuration = Self.configuration(in: folder)
        // The chart compiler reads the sources too, because an unused function is an error.
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url).sorted { $0.path() < $1.path() }
        return charts.map { chart in
            let name = chart.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Compiling chart \(chart.lastPathComponent)",
                executable: tool,
                arguments: [Self.path(chart), Self.path(output)]
                    + configuration.flatMap { ["--configuration", Self.path($0)] }
                    + ["--sources"] + sources.map(Self.path),
                inputFiles: [chart] + configuration + sources,
                outputFiles: [output]
            )
        }
    }

    private static func charts(in folder: URL) throws -> [URL] {
        guard FileManager.default.fileExists(atPath: path(folder)) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "scxml" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func configuration(in folder: URL) -> [URL] {
        [folder.appending(path: "charts.json")].filter { FileManager.default.fileExists(atPath: path($0)) }
    }

    private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
