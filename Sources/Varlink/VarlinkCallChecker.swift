/// Checks calls against the text of the interfaces, and answers the calls of `org.varlink.service`. It has no
/// connection.
package struct VarlinkCallChecker: Sendable {
    private let identity: ServiceInterface.Identity
    private let interfaces: [String: VarlinkInterface]

    package init(identity: ServiceInterface.Identity, interfaces: [VarlinkInterface]) throws(VarlinkInterfaceError) {
        let service = try VarlinkInterface(parsing: ServiceInterface.text)
        self.identity = identity
        self.interfaces = Dictionary(
            ([service] + interfaces).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in preconditionFailure("\(first.name) is defined twice") }
        )
    }

    /// Checks a call, and returns the answer to a call of `org.varlink.service`. Nil for any other call that fits its
    /// interface.
    package func answerAtOnce(_ call: VarlinkCall) throws(VarlinkError) -> VarlinkReply? {
        guard let dot = call.method.lastIndex(of: ".") else { throw ServiceInterface.methodNotFound(call.method) }
        let name = String(call.method[..<dot])
        guard let interface = interfaces[name] else { throw ServiceInterface.interfaceNotFound(name) }
        let methodName = String(call.method[call.method.index(after: dot)...])
        guard let method = interface.methods[methodName] else { throw ServiceInterface.methodNotFound(call.method) }
        do {
            try interface.check(call.parameters, against: method.input)
        } catch {
            throw ServiceInterface.invalidParameter(error.parameter, sentence: error.reason)
        }
        guard !call.upgrade else {
            throw ServiceInterface.invalidParameter("upgrade", sentence: MessageSentences.noUpgrade)
        }
        guard !(call.more && call.oneway) else {
            throw ServiceInterface.invalidParameter("oneway", sentence: MessageSentences.onewayAndMore)
        }
        return name == ServiceInterface.name ? try serviceReply(methodName, call.parameters) : nil
    }

    private func serviceReply(_ method: String, _ parameters: JSONValue) throws(VarlinkError) -> VarlinkReply {
        switch method {
        case "GetInfo":
            return VarlinkReply(parameters: [
                "vendor": .string(identity.vendor), "product": .string(identity.product),
                "version": .string(identity.version), "url": .string(identity.url),
                "interfaces": .strings(interfaces.keys.sorted()),
            ])
        case "GetInterfaceDescription":
            let name = parameters["interface"]?.stringValue ?? ""
            guard let interface = interfaces[name] else { throw ServiceInterface.interfaceNotFound(name) }
            return VarlinkReply(parameters: ["description": .string(interface.text)])
        default: throw ServiceInterface.methodNotImplemented("\(ServiceInterface.name).\(method)")
        }
    }
}
