// Package scan queries many servers over few sockets. It is the engine behind the
// Scan of each protocol.
//
// One goroutine, the caller's, holds all state. It queries more servers at once as long as more
// answers come back, and fewer if requests are lost, and learns from the round trips how long
// to wait. Silent servers do not hold up others: once nearly all answers would have arrived, a
// server gives its place to the next one and only its deadline remains.
//
// Each attempt uses another socket, and so another source port, because some servers
// ignore a port after an incomplete exchange. An exchange can request another port for
// its next request too, so that a late copy of one answer is not taken for the next.
// An answer to any attempt counts until the last one has timed out.
//
// Targets are spread over 16 or more sockets with ports that the system chooses at
// random, because some protocols have no identifiers: a target that was queried could
// otherwise forge the answers of all others. The first targets have a port each; later
// ones share it in groups of up to 16. On Linux the engine reads all sockets itself;
// elsewhere each has a goroutine that reads it.
//
// Another goroutine reads the targets, a few hundred ahead, because their iterator may block.
// Only this goroutine may outlive a scan: a blocked iterator cannot be interrupted, so it ends
// when the iterator next yields.
package scan
