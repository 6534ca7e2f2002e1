// A user of a service needs the names of its interfaces. The interface language is separate, so that the build tool
// that compiles interfaces needs no network library.
@_exported import VarlinkIDL
