/// The interface of every Varlink service (varlink.org, "Service Interface").
package enum ServiceInterface {
    package static let name = "org.varlink.service"

    package static let text = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        """

    /// The values that the method GetInfo returns.
    package struct Identity: Hashable, Sendable {
        package var vendor: String
        package var product: String
        package var version: String
        package var url: String

        package init(vendor: String, product: String, version: String, url: String) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
        }
    }

    package static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(name: "\(name).InterfaceNotFound", parameters: ["interface": .string(interface)])
    }

    package static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(name: "\(name).MethodNotFound", parameters: ["method": .string(method)])
    }

    package static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(name: "\(name).MethodNotImplemented", parameters: ["method": .string(method)])
    }

    /// The error InvalidParameter. The interface defines only its field `parameter`; this service adds the field
    /// `sentence`.
    package static func invalidParameter(_ parameter: String, sentence: String) -> VarlinkError {
        VarlinkError(
            name: "\(name).InvalidParameter",
            parameters: ["parameter": .string(parameter), "sentence": .string("\(parameter): \(sentence)")]
        )
    }
}
