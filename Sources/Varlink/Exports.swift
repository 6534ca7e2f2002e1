// Code that uses a service needs the names of its interfaces. The interface language is a separate target, so that the
// build tool that compiles interfaces needs no network library.
@_exported import VarlinkIDL
