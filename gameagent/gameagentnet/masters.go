package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// heartbeatsPerSecond is how many challenges of masters a server answers a second,
// forged ones included, because an answer is up to 200 times as long as a challenge.
// While fewer are forged, a forged join hides the server from its master no longer
// than it takes to answer the challenge.
const heartbeatsPerSecond = 1000

// answerMaster answers a challenge if it comes from a native master to which a
// Registration sends.
func (s *Server) answerMaster(from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte) [][]byte {
	from = unmap(from)
	for _, known := range s.masters.All() {
		r := known.Registration
		if r.Form != FormNative || known.Addr != from || !s.heartbeats.Allow(from.Addr(), now) {
			continue
		}
		r.challenged(m.Challenge, now)
		dst = udp.Next(dst)
		dst[len(dst)-1] = s.state.Load().appendHeartbeat(dst[len(dst)-1], m.Challenge)
		break
	}
	return dst
}

// isLegacyMaster reports whether a Registration sends to a legacy master at an
// address, and the limits allow to answer it. The port does not matter: masters query
// from others than the one that takes heartbeats.
func (s *Server) isLegacyMaster(from netip.AddrPort, now time.Time) bool {
	if s.LegacyKey == "" {
		return false
	}
	from = unmap(from)
	for _, known := range s.masters.All() {
		if known.Registration.Form == FormLegacy && known.Addr.Addr() == from.Addr() {
			return s.heartbeats.Allow(from.Addr(), now)
		}
	}
	return false
}

// validate answers the challenge of a legacy master.
func (s *Server) validate(from netip.AddrPort, secure string, now time.Time, dst [][]byte) [][]byte {
	if !s.isLegacyMaster(from, now) {
		return dst
	}
	for _, known := range s.masters.All() {
		if known.Addr.Addr() == unmap(from).Addr() {
			known.Registration.secured()
		}
	}
	dst = udp.Next(dst)
	answer := gameagent.LegacyValidation{Validate: gameagent.LegacyValidate(secure, s.LegacyKey)}
	dst[len(dst)-1], _ = answer.AppendBinary(dst[len(dst)-1])
	return dst
}

// echo returns a text to a legacy master.
func (s *Server) echo(from netip.AddrPort, m gameagent.LegacyEcho, now time.Time, dst [][]byte) [][]byte {
	if !s.isLegacyMaster(from, now) {
		return dst
	}
	dst = udp.Next(dst)
	dst[len(dst)-1], _ = gameagent.LegacyEchoReply{Text: m.Text}.AppendBinary(dst[len(dst)-1])
	return dst
}

// StateChanged tells every master that a player has entered, as soon as the
// server is listed there, and at most once a second.
func (s *Server) StateChanged() {
	for _, known := range s.masters.All() {
		known.Registration.stateChanged()
	}
}
