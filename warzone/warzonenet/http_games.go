package warzonenet

import (
	"cmp"
	"net/netip"
	"strings"
)

// replacesAny reports whether games of the source replace games of any source at
// the same address, because the lobby has connected to them there.
func (s Source) replacesAny() bool { return s == SourceLobby || s == SourceHTTP }

// clone returns a copy whose texts share no memory with others.
func (d HTTPDetails) clone() HTTPDetails {
	d.PublicKey, d.MapHash, d.Mods = strings.Clone(d.PublicKey), strings.Clone(d.MapHash), strings.Clone(d.Mods)
	d.Joins = strings.Clone(d.Joins)
	return d
}

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

// isOfHTTP reports whether the game of e, which was opened through another
// protocol, is also listed by an HTTPLobby: a host may use both.
func (g *Games) isOfHTTP(e *Entry) bool {
	g.lock()
	defer g.mu.Unlock()
	reg := cmp.Or(g.atLocked(e.Key), g.bySecond[e.Key])
	return reg != nil && reg.entry.Source == SourceHTTP && reg.entry.versioned().Name == e.versioned().Name
}
