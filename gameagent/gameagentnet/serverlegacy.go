package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// answerLegacy answers a request in the legacy form.
func (s *Server) answerLegacy(
	from netip.AddrPort, m gamespy1.ToServer, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	switch m := m.(type) {
	case gamespy1.Request:
		var echo []byte
		switch {
		case m.Secure != "":
			dst, _ = s.validate(from, m.Secure, now, dst)
		case m.Echo != "" && s.isLegacyMaster(from, now):
			echo, _ = gamespy1.Echo{Text: m.Echo}.AppendBinary(nil)
		}
		return s.send(from, &s.refreshed(now).legacy[m.Query], echo, now, dst)
	case gamespy1.Secure:
		return s.validate(from, m.Secure, now, dst)
	case gamespy1.Echo:
		return s.echo(from, m, now, dst)
	case gamespy1.Unknown:
		return dst, udp.Foreign
	}
	return dst, udp.Unsupported
}

// isLegacyMaster reports whether a Registration sends to a legacy master at an
// address, and whether the rate limit allows an answer. The port does not matter,
// because masters do not query from the port that receives heartbeats.
func (s *Server) isLegacyMaster(from netip.AddrPort, now time.Time) bool {
	if s.LegacyKey == "" {
		return false
	}
	for _, known := range s.masters.All() {
		if known.Registration.Legacy && known.Addr.Addr() == from.Addr() {
			return s.heartbeats.Allow(from.Addr(), now)
		}
	}
	return false
}

// validate answers the challenge of a legacy master.
func (s *Server) validate(
	from netip.AddrPort, secure string, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if !s.isLegacyMaster(from, now) {
		return dst, udp.Unsupported
	}
	for _, known := range s.masters.All() {
		if known.Addr.Addr() == from.Addr() {
			known.Registration.secured()
		}
	}
	answer := gamespy1.Validation{Validate: gamespy1.Validate(secure, s.LegacyKey)}
	return udp.AppendMessage(dst, answer), udp.Handled
}

// echo returns a text to a legacy master.
func (s *Server) echo(
	from netip.AddrPort, m gamespy1.Echo, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if !s.isLegacyMaster(from, now) {
		return dst, udp.Unsupported
	}
	return udp.AppendMessage(dst, gamespy1.EchoReply{Text: m.Text}), udp.Handled
}
