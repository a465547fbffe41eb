package gameagentnet

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A knownMaster is a master that a Registration sends to.
type knownMaster struct {
	addr         netip.AddrPort
	registration *Registration
}

// knownMasters returns the masters whose challenges are answered.
func (s *Server) knownMasters() []knownMaster {
	if all := s.masters.Load(); all != nil {
		return *all
	}
	return nil
}

// addMaster adds a master, in place of the one of its Registration.
func (s *Server) addMaster(m knownMaster) {
	s.changeMasters(m.registration, m)
}

// removeMaster removes the master of a Registration.
func (s *Server) removeMaster(r *Registration) { s.changeMasters(r) }

// changeMasters replaces the masters of a Registration.
func (s *Server) changeMasters(r *Registration, by ...knownMaster) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(s.knownMasters()), func(m knownMaster) bool { return m.registration == r })
	all = append(all, by...)
	s.masters.Store(&all)
}

// heartbeatsPerSecond is how many challenges of masters a server answers a second,
// forged ones included. It is more than anybody can use up unnoticed, so that a
// forged join hides the server no longer than it takes to answer the challenge.
const heartbeatsPerSecond = 1000

// answerMaster answers a challenge if it comes from a native master to which a
// Registration sends.
func (s *Server) answerMaster(from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte) [][]byte {
	from = unmap(from)
	for _, known := range s.knownMasters() {
		r := known.registration
		if r.Form != FormNative || known.addr != from || !s.heartbeats.Allow(from.Addr(), now) {
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
	for _, known := range s.knownMasters() {
		if known.registration.Form == FormLegacy && known.addr.Addr() == from.Addr() {
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
	for _, known := range s.knownMasters() {
		if known.addr.Addr() == unmap(from).Addr() {
			known.registration.secured()
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
	for _, m := range s.knownMasters() {
		m.registration.stateChanged()
	}
}
