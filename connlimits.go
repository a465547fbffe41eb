package lobbywire

import "time"

// ConnLimits bounds the time and memory that peers may take from a TCP server.
// A zero field means the default of the server. A negative duration expires at once, and a
// negative number admits no connection. For no limit, set a large value.
type ConnLimits struct {
	First time.Duration // to receive the first byte of a connection
	Frame time.Duration // to receive a message, from its first byte to its last
	Idle  time.Duration // between two messages
	Write time.Duration // to write each 64 KiB of an answer

	MaxConns      int   // connections in total
	MaxPerAddress int   // connections of an IPv4 address or an IPv6 /64
	MaxPerPrefix  int   // connections of an IPv4 /24 or an IPv6 /48
	MaxBuffered   int64 // bytes of incomplete messages longer than 1 KiB, of all connections
}
