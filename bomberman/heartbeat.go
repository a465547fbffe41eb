package bomberman

// A Heartbeat shows the peer that the sender is alive. Game servers and clients
// may disconnect a peer that has been silent for 5 seconds, so both send
// heartbeats more often than that. It has no content and no answer.
//
//wire:message Message command=xxHeartbeat
type Heartbeat struct {
	Envelope
}
