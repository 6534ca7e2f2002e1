// Who uses a service names its interfaces. The interface language stands by itself, so that the build tool that
// compiles interfaces needs no network library.
@_exported import VarlinkIDL
