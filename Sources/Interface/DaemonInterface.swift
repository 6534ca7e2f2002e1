import Controller
import Varlink

/// The interface `io.bracketd`: its text, which introspection returns, and the identity of the service.
package enum DaemonInterface {
    package static func parsed() throws(VarlinkInterfaceError) -> VarlinkInterface {
        try VarlinkInterface(parsing: Bracketd.text)
    }

    package static let identity = ServiceInterface.Identity(
        vendor: "bracketd",
        product: "bracketd",
        version: Version.current,
        url: ""
    )
}
