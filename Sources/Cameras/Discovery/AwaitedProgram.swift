/// The program for which a camera's menu waits, as the camera announces it.
package struct AwaitedProgram: Hashable, Sendable {
    /// The value for client programs: `eos-utility`.
    package var code: String
    /// The sentences for the user: the program, and what to do on the camera.
    package var remark: String

    package init(code: String, remark: String) {
        self.code = code
        self.remark = remark
    }
}
