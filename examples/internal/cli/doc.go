// Package cli contains what the command lines of the programs share: they read flags, addresses,
// secrets and the names of encodings, report their version, wait until they are interrupted, and
// outlive the reader of their log.
package cli
