package scan

import (
	"context"
	"net"
	"time"
)

// SetDefaults sets zero fields and negative numbers: Listen and Dial to UDP sockets of either address
// family, Attempts to 3 and Timeout to 1 s.
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
		s.Attempts = 3
	}
	if s.Timeout <= 0 {
		s.Timeout = time.Second
	}
}
