import Foundation
import SCXML
import Testing

/// Tests the file `charts.json` beside the charts that the build tool compiles.
@Suite struct CompilerConfigurationTests {
    private func read(_ text: String) throws -> CompilerConfiguration {
        try CompilerConfiguration(json: Data(text.utf8))
    }

    @Test func `without a configuration the generated code is internal`() throws {
        #expect(CompilerConfiguration().access == .internal)
        #expect(try read("{}").access == .internal)
    }

    @Test(arguments: ["public", "package", "internal"]) func `the file sets the access level`(access: String) throws {
        #expect(try read(#"{"access": "\#(access)"}"#).access.rawValue == access)
    }

    @Test(arguments: [
        (#"{"access": "private"}"#, #"access is "public", "package" or "internal", not private"#),
        (#"{"access": 1}"#, #"access is "public", "package" or "internal", not 1"#),
        (#"{"acces": "public"}"#, "unknown key 'acces'; the only key is access"),
        ("public", #"not a JSON object; write {"access": "public"}"#),
        (#"{"access": "public",}"#, #"not a JSON object; write {"access": "public"}"#),
        (#"{"access": "public", "access": "public"}"#, #"not a JSON object; write {"access": "public"}"#),
        ("[]", #"not a JSON object; write {"access": "public"}"#),
    ])
    func `an unknown configuration is refused with the valid alternative`(text: String, message: String) {
        #expect(throws: CompilerConfiguration.Refusal(description: message)) { try read(text) }
    }
}
