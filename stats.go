package lobbywire

// PacketStats counts the datagrams of a UDP server or master since its creation, both in
// Serve and in Respond.
type PacketStats struct {
	Received  uint64 // datagrams that were handled
	Sent      uint64 // answer datagrams
	Oversized uint64 // datagrams dropped because they are longer than any valid one
	Failed    uint64 // answer datagrams that the operating system refused to send
	Unknown   uint64 // datagrams of other protocols, and malformed ones
}

// ServerStats counts the datagrams of a game server's UDP server since its creation, and
// the reasons for requests without an answer.
type ServerStats struct {
	PacketStats
	Unverified  uint64 // requests with a wrong or an expired token or challenge
	Limited     uint64 // requests over a rate limit
	Unsupported uint64 // messages of the protocol that the server does not answer
}

// ConnStats counts the connections of a TCP server since its creation.
type ConnStats struct {
	Accepted uint64 // connections
	Refused  uint64 // connections closed at once because of a limit on their number
	Open     int    // connections that are open now
	TimedOut uint64 // connections ended because the peer took too long to send
	TooLong  uint64 // connections ended by a message that is too long
}
