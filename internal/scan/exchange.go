package scan

import (
	"net/netip"
	"time"
)

// An Exchange is one attempt to query one server.
type Exchange interface {
	// Request appends the next datagram to send.
	Request(dst []byte) []byte

	// Receive handles a datagram from the server. It must not keep b. The error describes
	// the reason for a Stray (nil if it is a copy), or the parts that an answer lacks.
	Receive(b []byte) (Verdict, error)
}

// A Repeater is an Exchange whose request may be lost and sent again.
type Repeater interface {
	// Repeats reports whether to send the request again, from the same port, when
	// half of the timeout has passed.
	Repeats() bool
}

func repeats(e Exchange) bool {
	r, ok := e.(Repeater)
	return ok && r.Repeats()
}

// A Verdict is the meaning of a datagram for its Exchange.
type Verdict int

// The verdicts.
const (
	Stray    Verdict = iota // not an answer, or an unreadable one; the right one may follow
	More                    // a part of an answer; it does not move the deadline
	Next                    // an answer; send the next request
	NextPort                // an answer; send the next request from another port
	Try                     // the last answer, unless the server answers the next request, in this or another attempt
	Done                    // the last answer
	Maybe                   // the last answer, unless another one arrives within Scanner.Settle
)

// A Result is the outcome for one server.
type Result struct {
	Target   netip.AddrPort // not valid if the scan has ended early
	Exchange Exchange       // of the last attempt; it may hold a partial answer
	RTT      time.Duration  // of the last round trip; 0 without one
	Attempts int

	// Err is nil, [lobbywire.ErrTimeout], [lobbywire.ErrChallengeOnly],
	// [lobbywire.ErrUnreadable] or [lobbywire.ErrLost], why the request could not be sent,
	// or why the scan has ended.
	Err error

	// Wrong is the error of the last datagram that is not an answer but still informs about
	// the server, nil if there was none.
	Wrong error
}
