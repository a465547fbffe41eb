package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

func (m *Master) respond(now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > qr2.MaxHeartbeat {
		return dst
	}
	switch qr2.PeekToMaster(req).(type) {
	case qr2.AvailabilityRequest:
		return m.available(from, req, now, dst)
	case qr2.Heartbeat:
		return m.heartbeat(local, from, req, now, dst)
	case qr2.ChallengeAnswer:
		return m.answered(local, from, req, now, dst)
	case qr2.Keepalive:
		return m.keepalive(local, from, req, now, dst)
	case qr2.ClientMessageAck:
		m.lists.unacked.acknowledged(from, req)
	case nil:
		isAnswer, isHidden := m.queryAnswered(from, req, now)
		switch {
		case isAnswer:
		case isHidden && refusals.ProtocolOf(req) == nil:
			m.refuse(from, lobbywire.ReasonOther, "")
		case m.Other != nil:
			return m.Other(local, from, req, dst)
		default:
			m.refusals.Foreign(from, req)
		}
	}
	return dst
}

// available answers an AvailabilityRequest for a known game. A server's answer to a
// challenge request may look like one, with a number as the name of the game.
func (m *Master) available(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	r, err := qr2.ParseAvailabilityRequest(req)
	game := m.game(r.GameName)
	if err != nil || game == nil {
		m.foreign.Add(1)
		return dst
	}
	return udp.AppendMessage(dst, qr2.AvailabilityAnswer{Availability: game.Availability}) // cannot fail
}

// heartbeat keeps a server listed, or sends it a challenge.
func (m *Master) heartbeat(
	local netip.Addr, from netip.AddrPort, req []byte, now time.Time, dst [][]byte,
) [][]byte {
	if !listable(from) {
		m.refusals.Address(from, "")
		return dst
	}
	switch verified, unchecked := m.refresh(local, from, req, now); {
	case unchecked && m.loop.Verified.Allow(from.Addr(), now):
		m.refuse(from, lobbywire.ReasonUnreachable, "") // it has not answered the first query
		m.servers.Do(now, func(*locked) { m.pending.await(awaitsAnswer, local, from, [4]byte{}, now) })
		return m.query(from, len(req), now, dst)
	case verified:
		return dst
	}
	// Forged heartbeats do not use up the limit of a listed server.
	if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	r, game := m.read(req)
	switch {
	case game == nil && r.identity.GameName == "":
		m.refuse(from, lobbywire.ReasonInvalid, "")
		return dst
	case game == nil:
		m.refuse(from, lobbywire.ReasonGame, r.identity.GameName)
		return dst
	case r.identity.State == qr2.StateShutdown:
		m.servers.Do(now, func(*locked) { m.pending.forget(from, r.heartbeat.Key) })
		return dst
	}
	var text [qr2.MaxChallenge]byte
	token := m.loop.Minter.Token(from, now)
	c := qr2.Challenge{Key: r.heartbeat.Key, Text: string(game.appendChallenge(text[:0], from, token))}
	out := udp.Next(dst)
	last := &out[len(dst)]
	*last, _ = c.AppendBinary(*last) // cannot fail
	if len(*last) > len(req) {
		return dst
	}
	m.challenged.Add(1)
	m.servers.Do(now, func(*locked) { m.pending.put(local, from, r.heartbeat.Key, req, *last, now) })
	m.refuse(from, lobbywire.ReasonChallenge, game.Name)
	return out
}

// answered registers a server that answers its challenge. A right answer is charged to no
// limit, so that all servers of an address can register at once. A server with a wrong key
// gets an error.
func (m *Master) answered(
	local netip.Addr, from netip.AddrPort, req []byte, now time.Time, dst [][]byte,
) [][]byte {
	a, err := qr2.ParseChallengeAnswer(req)
	if err != nil || !listable(from) {
		return dst
	}
	switch m.register(local, from, &a, now) {
	case answerRight:
		dst = udp.AppendMessage(dst, qr2.Registered{Key: a.Key}) // cannot fail
		if !m.Unchecked {
			dst = m.query(from, len(req)-len(dst[len(dst)-1]), now, dst)
		}
	case answerWrong:
		out := udp.AppendMessage(dst, qr2.AddError{Key: a.Key, Code: 1, Text: "wrong secret key"}) // cannot fail
		if len(out[len(dst)]) <= len(req) && m.loop.Limiter.Allow(from.Addr(), now) {
			return out
		}
	}
	return dst
}

// keepalive keeps a server listed and answers it.
func (m *Master) keepalive(
	local netip.Addr, from netip.AddrPort, req []byte, now time.Time, dst [][]byte,
) [][]byte {
	k, err := qr2.ParseKeepalive(req)
	if err != nil || !m.touch(local, from, k.Key, now) || !m.loop.Verified.Allow(from.Addr(), now) {
		return dst
	}
	answer := qr2.KeepaliveAnswer{Key: k.Key, HasTime: true, Time: uint32(now.Unix())}
	return udp.AppendMessage(dst, answer) // cannot fail
}
