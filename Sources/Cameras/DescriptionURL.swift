/// The URL of a camera's description: the LOCATION of an SSDP message, `http://192.168.122.1:64321/dd.xml`.
package struct DescriptionURL: Hashable, Sendable, CustomStringConvertible {
    /// An IP address, never a name. So the description is fetched only from the camera that announced it.
    package var host: IPAddress
    package var port: UInt16
    /// The path and the query; begins with a slash.
    package var path: String

    package init(host: IPAddress, port: UInt16 = 80, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    package var description: String {
        "http://\(host.isIPv4 ? "\(host)" : "[\(host)]"):\(port)\(path)"
    }
}
