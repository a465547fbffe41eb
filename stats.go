package lobbywire

// PacketStats counts the datagrams of a UDP server since its creation.
type PacketStats struct {
	Received  uint64 // requests that were handled
	Sent      uint64 // answer datagrams
	Oversized uint64 // requests dropped because they are longer than any valid one
	Failed    uint64 // answer datagrams that the operating system refused to send
}

// ConnStats counts the connections of a TCP server since its creation.
type ConnStats struct {
	Accepted uint64 // connections
	Refused  uint64 // connections closed at once because of a limit on their number
	Open     int    // connections that are open now
	TimedOut uint64 // connections ended because the peer took too long to send
	TooLong  uint64 // connections ended by a message that is too long
}
