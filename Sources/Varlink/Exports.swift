// Code that uses a service needs JSON and the names of its interfaces. Both are separate targets, so that the core and
// the build tool that compiles interfaces need no network library.
@_exported import JSON
@_exported import VarlinkIDL
