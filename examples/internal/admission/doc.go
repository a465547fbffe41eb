// Package admission limits how much clients may use HTTP servers: connections, requests, and
// processor time. A [Limiter] applies these limits to any number of servers. [Warnings]
// limit log lines about clients.
//
// A client is an IPv4 address or an IPv6 /64, and its prefix is an IPv4 /24 or an IPv6
// /48. Behind trusted proxies, it is the address in X-Forwarded-For; the proxies
// themselves may have any number of connections within the total.
//
// Beyond a limit, the answer is 429 with Retry-After. Connections beyond their limits
// get that answer as well, because hosts of Warzone 2100 4.7 never return to a lobby that
// closes one. There is room for some of them only: if it is full, too, connections are
// closed.
//
// Before a connection is refused by a limit, the connection of the same client, prefix or
// server that has waited longest for a request is closed to make room. If none waits and the
// server is full, a busy connection of a prefix with more than twice as many connections is
// closed.
//
// All memory is bounded by the limits, whatever the number of clients.
package admission
