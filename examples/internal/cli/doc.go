// Package cli has what the command lines of the programs share: how they read flags, addresses,
// secrets and the names of encodings, report their version, and wait until they are interrupted.
package cli
