package gameagentnet

import (
	"errors"
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

func (m *Master) respond(now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > gameagent.MaxHeartbeat {
		return dst
	}
	// Of native requests other than heartbeats, only the first byte matters.
	switch gameagent.PeekToMaster(req).(type) {
	case gameagent.ListRequest:
		return m.sendList(from, now, dst)
	case gameagent.Heartbeat:
		return m.heartbeat(from, req, now, dst)
	case gameagent.Join:
		return m.join(from, true, now, dst)
	case gameagent.StateChanged:
		return m.join(from, false, now, dst)
	case gameagent.LegacyHeartbeat:
		return m.legacyHeartbeat(local, from, req, now, dst)
	case gameagent.LegacyValidation:
		m.legacyValidation(from, req, now)
	case nil:
		m.refusals.Foreign(from, req)
	}
	return dst
}

// sendList answers with the list. While a flood takes most of the limit, a client gets a
// part of a long list, and another part when it repeats its request.
func (m *Master) sendList(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.servers.Do(now, func(*locked) { dst = m.appendList(from, now, dst) })
	return dst
}

func (m *Master) appendList(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	n := min(len(m.list.encoded.Packets()), int(m.packets.Load()))
	if n == 0 {
		return dst
	}
	n = m.lists.AllowSome(from.Addr(), n, now)
	if n == 0 {
		return dst
	}
	m.answered++
	return m.list.appendNext(dst, n)
}

// join answers a join, or a change of state from an unlisted server.
func (m *Master) join(from netip.AddrPort, again bool, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		m.refusals.Address(from, "")
		return dst
	}
	if native, legacy := m.isVerified(from, now); native || again && legacy {
		if !again || !m.loop.Verified.Allow(from.Addr(), now) {
			return dst
		}
		m.hide(from, now)
	} else if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	return m.challenge(from, now, dst)
}

// heartbeat lists a server or keeps it listed.
func (m *Master) heartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		m.refusals.Address(from, "")
		return dst
	}
	known, verified := m.refresh(from, req, now)
	if verified {
		return dst
	}
	h, err := gameagent.ParseHeartbeat(req)
	if err == nil && m.loop.Minter.ValidAs(number, from, h.Challenge, now) {
		// Charged to no limit, so that all servers of an address can register at once.
		m.enlist(from, req, now)
		return dst
	}
	// Forged heartbeats do not use up the limit of a listed server.
	if !known && !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	switch {
	case known:
	case err != nil:
		m.refusals.Malformed(from, req, err)
	case h.Challenge != 0:
		m.refusals.Malformed(from, nil, errChallenge)
	}
	if err == nil && h.Challenge == 0 && (!known || m.loop.Verified.Allow(from.Addr(), now)) {
		return m.challenge(from, now, dst)
	}
	return dst
}

// errChallenge is why a heartbeat does not list a server.
var errChallenge = errors.New("the heartbeat has a wrong or old challenge")

func (m *Master) challenge(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.challenged.Add(1)
	m.refuse(from, lobbywire.ReasonChallenge, "")
	return udp.AppendMessage(dst, gameagent.Challenge{Challenge: number(m.loop.Minter.Token(from, now))})
}

// number converts a token to a challenge. It is positive, so it has 31 bits, because
// some servers may not return a sign.
func number(token uint32) int32 { return max(int32(token&math.MaxInt32), 1) }
