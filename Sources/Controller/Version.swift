/// The version of the daemon, as it is told to clients and shown by `--version`.
package enum Version {
    package static let current = "0.1.0"
}
