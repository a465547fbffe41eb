package scan

import (
	"net/netip"
	"time"
)

// An Exchange is one attempt at a conversation with one server.
type Exchange interface {
	// Request appends the next datagram to send.
	Request(dst []byte) []byte

	// Receive takes a datagram that came from the server. It must not keep it.
	Receive(b []byte) Verdict
}

// A Verdict is what a datagram means for its conversation.
type Verdict int

// The verdicts.
const (
	Stray Verdict = iota // not an answer; as if it had not come
	More                 // a part of an answer; it does not move the deadline
	Next                 // an answer; send the next request
	Done                 // the last answer
	Maybe                // the last answer, unless more comes within Scanner.Settle
)

// A Result is how the conversation with one server ended.
type Result struct {
	Target   netip.AddrPort
	Exchange Exchange      // of the last attempt; it may hold a partial answer
	RTT      time.Duration // of the last round trip; 0 without one
	Attempts int
	Err      error // nil, [lobbywire.ErrTimeout] or [lobbywire.ErrLost]
}
