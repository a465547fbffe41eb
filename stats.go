package lobbywire

// PacketStats count the datagrams of a UDP server since it was made.
type PacketStats struct {
	Received  uint64 // requests that were handled
	Sent      uint64 // datagrams of answers
	Oversized uint64 // requests dropped because they are longer than any valid one
	Failed    uint64 // datagrams of answers that the system refused to send
}

// ConnStats count the connections of a TCP server since it was made.
type ConnStats struct {
	Accepted uint64 // connections
	Refused  uint64 // connections closed at once because of a limit on their number
	Open     int    // connections now
	TimedOut uint64 // connections ended because the peer took too long to send
	TooLong  uint64 // connections ended by a message that is too long
}
