package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
)

// respond passes a datagram to the part of the Master that handles it.
func (m *Master) respond(now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > gameagent.MaxHeartbeat {
		return dst
	}
	r, p := &m.registrar, &packet{now, local, from, req}
	// Of native requests other than heartbeats, only the first byte matters.
	switch gameagent.PeekToMaster(req).(type) {
	case gameagent.ListRequest:
		return m.lists.sendList(p, dst)
	case gameagent.Heartbeat:
		return r.heartbeat(p, dst)
	case gameagent.Join:
		return r.join(p, true, dst)
	case gameagent.StateChanged:
		return r.join(p, false, dst)
	case gameagent.LegacyHeartbeat:
		return r.legacyHeartbeat(p, dst)
	case gameagent.LegacyValidation:
		r.legacyValidation(p)
	case nil:
		m.refusals.Foreign(from, req)
	}
	return dst
}
