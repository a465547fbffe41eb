package gamespy2net

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Respond appends the answers to a datagram of the master to dst, if it needs any. If the
// datagram is not a message from the master to the Registration, ok is false: it may be a
// query. Respond is for games that answer queries without a Server; Respond of a Server
// calls it. The caller must send the answers from the address at which the datagram
// arrived.
func (r *Registration) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	if !r.start().IsAt(udp.Unmap(from)) {
		return dst, false
	}
	return r.receive(req, time.Now(), dst)
}

// receive handles a datagram from the master. If it is not a message that the Registration
// expects, ok is false: it may be a query.
func (r *Registration) receive(req []byte, now time.Time, dst [][]byte) (answers [][]byte, ok bool) {
	m, err := qr2.ParseToServer(req)
	if err != nil {
		return dst, false
	}
	var answer qr2.ToMaster
	var fresh *qr2.ClientMessage
	r.runner.Update(func() { answer, fresh, ok = r.handle(m, now) })
	if fresh != nil {
		r.ClientMessage(*fresh)
	}
	if answer != nil {
		dst = udp.AppendMessage(dst, answer) // a challenge that is too long gets no answer
	}
	return dst, ok
}

// handle returns the answer to a message of the master, or nil. It also returns the
// message of a client, unless it is a repetition.
func (r *Registration) handle(m qr2.ToServer, now time.Time) (answer qr2.ToMaster, fresh *qr2.ClientMessage, ok bool) {
	if r.phase == phaseOver {
		return nil, nil, false
	}
	r.runner.Heard = now
	switch m := m.(type) {
	case qr2.AvailabilityAnswer:
		if r.phase != phaseAsking || r.tries == 0 {
			return nil, nil, false // a challenge request, which looks the same
		}
		r.available(m.Availability, now)
		return nil, nil, true
	case qr2.Unknown:
		return nil, nil, false
	}
	if r.phase == phaseAsking {
		return nil, nil, true // meant for an earlier registration
	}
	r.runner.Err = nil
	if r.phase == phaseStarting {
		r.enter(phaseListed)
		r.next = r.beaten.Add(heartbeatEvery)
	}
	switch m := m.(type) {
	case qr2.Challenge:
		if m.Key == r.instance {
			return r.challenged(m), nil, true
		}
	case qr2.AddError:
		if m.Key == r.instance {
			r.phase, r.isListed = phaseOver, false
			r.runner.Err = fmt.Errorf("gamespy2net: the server is %w by the master: code %d, %q", lobbywire.ErrRefused,
				m.Code, m.Text)
		}
	case qr2.ClientMessage:
		if m.Key == r.instance {
			return qr2.ClientMessageAck{Key: m.Key, ID: m.ID}, r.remember(m), true
		}
	case qr2.KeepaliveAnswer:
		r.answersAlive, r.unanswered = true, time.Time{}
	case qr2.Registered:
		r.isListed = true
	}
	return nil, nil, true
}

// available records whether the game is available.
func (r *Registration) available(a qr2.Availability, now time.Time) {
	if a&(qr2.Unavailable|qr2.TemporarilyUnavailable) == 0 {
		r.runner.Err = nil
		r.enter(phaseStarting)
		return
	}
	// The answer contains no key, so it may be forged: ask again even if the game is
	// permanently unavailable.
	r.runner.Err = fmt.Errorf("gamespy2net: the server is %w by the master: the game is not available: %v",
		lobbywire.ErrRefused, a)
	r.enter(phaseAsking)
	r.next = now.Add(retryAfter)
}

// challenged returns the answer to a challenge.
func (r *Registration) challenged(m qr2.Challenge) qr2.ChallengeAnswer {
	r.isChallenged = true
	r.runner.Sent.Add(1)
	if t, ok := m.ParseText(); ok && r.Server != nil {
		r.Server.challengeRequired.Store(t.Options&qr2.OptionQueryChallenge != 0)
	}
	return qr2.ChallengeAnswer{Key: m.Key, Text: string(qr2.AppendAnswer(nil, m.Text, r.Key))}
}

// remember returns a message, or nil if it is a repetition or ClientMessage is
// nil.
func (r *Registration) remember(m qr2.ClientMessage) *qr2.ClientMessage {
	r.runner.Sent.Add(1)
	known := r.messages[:min(r.received, recentMessages)]
	if r.ClientMessage == nil || slices.Contains(known, m.ID) {
		return nil
	}
	r.messages[r.received%recentMessages] = m.ID
	r.received++
	return &m
}
