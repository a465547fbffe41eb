package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// respond passes a datagram to the part of the Master that handles it.
func (m *Master) respond(now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > qr2.MaxHeartbeat {
		return dst
	}
	r, p := &m.registrar, &packet{now, local, from, req}
	switch qr2.PeekToMaster(req).(type) {
	case qr2.AvailabilityRequest:
		return r.available(p, dst)
	case qr2.Heartbeat:
		return r.heartbeat(p, dst)
	case qr2.ChallengeAnswer:
		return r.answered(p, dst)
	case qr2.Keepalive:
		return r.keepalive(p, dst)
	case qr2.ClientMessageAck:
		m.lists.unacked.acknowledged(from, req)
	case nil:
		switch {
		case r.checkAnswered(p):
		case m.Other != nil:
			return m.Other(local, from, req, dst)
		default:
			m.refusals.Foreign(from, req)
		}
	}
	return dst
}
