package gamespy1net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// respond passes a datagram to the part of the Master that handles it.
func (m *Master) respond(
	now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	r, p := &m.registrar, &serverlist.Packet{Now: now, Local: local, From: from, Body: req}
	// Of GameAgent's requests other than heartbeats, only the first byte matters.
	switch gameagent.PeekToMaster(req).(type) {
	case gameagent.ListRequest:
		return m.lists.sendList(p, dst), udp.Handled
	case gameagent.Heartbeat:
		return r.gameAgentHeartbeat(p, dst), udp.Handled
	case gameagent.Join:
		return r.join(p, true, dst), udp.Handled
	case gameagent.StateChanged:
		return r.join(p, false, dst), udp.Handled
	}
	switch gamespy1.PeekToMaster(req).(type) {
	case gamespy1.Heartbeat:
		return r.gameSpyHeartbeat(p, dst), udp.Handled
	case gamespy1.Validation:
		r.gameSpyValidation(p)
		return dst, udp.Handled
	}
	if m.Other == nil {
		m.refusals.Foreign(from, req)
	}
	return dst, udp.Foreign
}
