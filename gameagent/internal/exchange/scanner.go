package exchange

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Scanner completes a scanner with the settings of a client. Its exchanges are made by start.
func Scanner[M any](s scan.Scanner, start func() *Exchange[M]) *scan.Scanner {
	s.MaxDatagram, s.Alike = udp.MaxDatagram, true
	s.Start = func(_ netip.AddrPort, _ int, last scan.Exchange) scan.Exchange {
		e := start()
		if last, ok := last.(*Exchange[M]); ok && last.Some {
			e.Set(last.Message, last.Partial)
			e.Short = last.Short
		}
		return e
	}
	s.SetDefaults()
	if s.Settle <= 0 {
		s.Settle = 250 * time.Millisecond
	}
	return &s
}

// Of returns the exchange of a result with a message, or nil if there is no answer.
func Of[M any](r scan.Result) *Exchange[M] {
	if e, ok := r.Exchange.(*Exchange[M]); ok && e.Some {
		return e
	}
	return nil
}
