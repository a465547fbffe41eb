package scan

import (
	"context"
	"net"
	"time"
)

// SetDefaults sets what is zero of Listen, Dial, Attempts and Timeout: UDP
// sockets of either family, 3, and 1 s.
func (s *Scanner) SetDefaults() {
	if s.Listen == nil {
		s.Listen = func(ctx context.Context) (net.PacketConn, error) {
			return new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
		}
	}
	if s.Dial == nil {
		s.Dial = new(net.Dialer).DialContext
	}
	if s.Attempts == 0 {
		s.Attempts = 3
	}
	if s.Timeout == 0 {
		s.Timeout = time.Second
	}
}
