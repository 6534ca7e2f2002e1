/// The version of the daemon, for clients and `bracketd --version`.
package enum Version {
    package static let current = "0.1.0"
}
