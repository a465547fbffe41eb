// Package udp is what the UDP servers of all protocols have in common: the
// datagram loop, stateless challenges and rate limits in fixed memory.
package udp
