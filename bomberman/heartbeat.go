package bomberman

// CommandHeartbeat is the command of a [Heartbeat].
const CommandHeartbeat = "xxHeartbeat"

// A Heartbeat shows the peer that the sender is alive. Game servers and clients
// may disconnect a peer that has been silent for 5 seconds, so both send
// heartbeats more often than that. It has no content and no answer.
//
//wire:message Message key=CommandHeartbeat
type Heartbeat struct {
	Envelope
}
