// Package lifecycle is how the servers and background tasks of all helpers
// begin, pause and end.
package lifecycle
