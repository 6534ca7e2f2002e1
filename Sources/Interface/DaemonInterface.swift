import Controller
import Varlink

/// `io.bracketd`: what the daemon can be asked, as a text that is served by introspection, and who serves it.
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
