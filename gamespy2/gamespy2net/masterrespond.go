package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// respond passes a datagram to the part of the Master that handles it.
func (m *Master) respond(
	now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	r, p := &m.registrar, &packet{now, local, from, req}
	switch qr2.PeekToMaster(req).(type) {
	case qr2.AvailabilityRequest:
		return r.available(p, dst), udp.Handled
	case qr2.Heartbeat:
		return r.heartbeat(p, dst), udp.Handled
	case qr2.ChallengeAnswer:
		return r.answered(p, dst), udp.Handled
	case qr2.Keepalive:
		return r.keepalive(p, dst), udp.Handled
	case qr2.ClientMessageAck:
		m.lists.unacked.acknowledged(from, req)
	case nil:
		if !r.checkAnswered(p) {
			if m.Other == nil {
				m.refusals.Foreign(from, req)
			}
			return dst, udp.Foreign
		}
	}
	return dst, udp.Handled
}
