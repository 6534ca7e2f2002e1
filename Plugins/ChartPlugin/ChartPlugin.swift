import Foundation
import PackagePlugin

/// Compiles charts to Swift: `statecharts/*.scxml` of the package, or, for a target that keeps charts of its own in a
/// folder `Charts`, those.
@main
struct ChartPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let tool = try context.tool(named: "chartc").url
        let shared = context.package.directoryURL.appending(path: "statecharts")
        let own = try Self.charts(in: target.directoryURL.appending(path: "Charts"))
        // A function that no chart names is an error too, so the compiler looks at the sources as well.
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url).sorted { $0.path() < $1.path() }
        return try (own.isEmpty ? Self.charts(in: shared) : own).map { chart in
            let name = chart.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Compiling chart \(chart.lastPathComponent)",
                executable: tool,
                arguments: [Self.path(chart), Self.path(output), "--sources"] + sources.map(Self.path),
                inputFiles: [chart] + sources,
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

    private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
