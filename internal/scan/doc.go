// Package scan asks many servers over few sockets: the engine behind the Scan
// of each protocol.
//
// One goroutine holds all state. It sends to as many servers at once as the
// receive buffer that the system granted can take answers for, learns from the
// round trips how long to wait, and does not wait in line for servers that are
// silent: after the time in which nearly all answers come, a server gives its
// place to the next, and only its deadline runs on.
//
// Each attempt uses a socket, and so a source port, of its own: some servers
// take no second conversation from a port whose first one broke. An answer to any
// attempt counts while its server is being asked. The engine reads the first
// socket itself; those of later attempts, if it comes to them, bring a reader
// each, and one for the first.
package scan
