package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// heartbeatsPerSecond is the number of challenges from masters that a server answers
// in a second, including forged ones. It is limited because an answer is up to 200
// times as long as a challenge. While fewer challenges are forged, a forged join
// hides the server only until it has answered the master's challenge.
const heartbeatsPerSecond = 1000

// answerMaster answers a challenge if it comes from a native master to which a
// Registration sends.
func (s *Server) answerMaster(from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte) [][]byte {
	for _, known := range s.masters.All() {
		r := known.Registration
		if r.Form != FormNative || known.Addr != from || !s.heartbeats.Allow(from.Addr(), now) {
			continue
		}
		r.challenged(m.Challenge, now)
		return udp.AppendMessage(dst, s.state.Load().heartbeatFor(m.Challenge))
	}
	return dst
}

// isLegacyMaster reports whether a Registration sends to a legacy master at an
// address, and whether the rate limit allows an answer. The port does not matter,
// because masters do not query from the port that receives heartbeats.
func (s *Server) isLegacyMaster(from netip.AddrPort, now time.Time) bool {
	if s.LegacyKey == "" {
		return false
	}
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
		if known.Addr.Addr() == from.Addr() {
			known.Registration.secured()
		}
	}
	return udp.AppendMessage(dst, gameagent.LegacyValidation{Validate: gameagent.LegacyValidate(secure, s.LegacyKey)})
}

// echo returns a text to a legacy master.
func (s *Server) echo(from netip.AddrPort, m gameagent.LegacyEcho, now time.Time, dst [][]byte) [][]byte {
	if !s.isLegacyMaster(from, now) {
		return dst
	}
	return udp.AppendMessage(dst, gameagent.LegacyEchoReply{Text: m.Text})
}

// StateChanged makes each Registration of the server report to its master that
// a player has entered. It is reported once the server is listed there, and at
// most once a second.
func (s *Server) StateChanged() {
	for _, known := range s.masters.All() {
		known.Registration.stateChanged()
	}
}
