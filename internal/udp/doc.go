// Package udp contains the code that the UDP servers of all protocols share: the datagram
// loop, stateless challenges and rate limits in fixed memory.
package udp
