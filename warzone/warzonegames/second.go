package warzonegames

import "net/netip"

// setSecondLocked sets the second address of reg. It removes a game that was
// opened there through another protocol.
func (g *Games) setSecondLocked(reg *registration, second netip.AddrPort) {
	if was := reg.entry.HTTP.Second; g.bySecond[was] == reg {
		delete(g.bySecond, was)
	}
	if !second.IsValid() {
		return
	}
	g.bySecond[second] = reg
	if other := g.atLocked(second); other != nil && other != reg && other.entry.Source != SourceHTTP {
		g.removeLocked(other)
		if !other.remote {
			g.unshareLocked(other, other.entry.ID)
		}
	}
}
