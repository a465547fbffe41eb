package scan

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// A Scanner queries servers. All fields except Rate, Alike and Settle must be set; see SetDefaults.
type Scanner struct {
	// Listen opens a socket for Scan, Dial one for Ask.
	Listen func(ctx context.Context) (net.PacketConn, error)
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)

	// Start begins an attempt, numbered from 0. last is the Exchange of the
	// attempt before, nil for the first.
	Start func(target netip.AddrPort, attempt int, last Exchange) Exchange

	MaxDatagram int           // longer answers are strays
	AnswerSize  int           // of a usual answer, in bytes, all packets together
	Attempts    int           // at each server, at least 1
	Timeout     time.Duration // of each attempt
	extra       int           // attempts at a server that has only answered a challenge
	Rate        int           // of requests of Scan, a second at most; 0 means what the window allows

	// Alike reports that attempts at a silent server send the same request, so that an
	// answer to a later one shows that an earlier one was lost.
	Alike bool

	// Settle is how long Ask waits after a Maybe, within Timeout. Scan waits
	// until Timeout. Exchanges without a Maybe need none.
	Settle time.Duration
}

// SetDefaults sets fields that are zero or negative: Listen and Dial to UDP sockets of
// either address family, Attempts to 4 and Timeout to 1 s.
func (s *Scanner) SetDefaults() {
	if s.Listen == nil {
		s.Listen = func(ctx context.Context) (net.PacketConn, error) {
			return new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
		}
	}
	if s.Dial == nil {
		s.Dial = new(net.Dialer).DialContext
	}
	if s.Attempts <= 0 {
		s.Attempts, s.extra = 4, 4
	}
	if s.Timeout <= 0 {
		s.Timeout = time.Second
	}
}
