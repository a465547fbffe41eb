package warzonegames

import (
	"net/netip"
	"time"
)

// Add lists a game and returns it as listed or withheld. It chooses an ID if the
// game has none. A game of SourceLobby or SourceHTTP replaces any game at its Key;
// other games replace only a game of their own Source.
//
// The error is ErrFull, ErrAddress, ErrTaken if a game of another Source has the
// Key or another game has the ID, or an error of [warzone.Game.AppendBinary]. On
// error, nothing has changed.
func (g *Games) Add(e Entry) (Entry, error) {
	now := g.lock()
	defer g.mu.Unlock()
	e.Key = netip.AddrPortFrom(e.Key.Addr().Unmap().WithZone(""), e.Key.Port())
	e.Opened, e.Seen = now, now
	if e.ID == 0 {
		e.ID = g.newIDLocked()
	}
	reg, err := g.putLocked(e, false)
	if err != nil {
		return Entry{}, err
	}
	if e.Verified || reg.check.next.IsZero() {
		reg.check = check{running: reg.check.running}
		reg.check.delay(now, e.Verified)
	}
	if was := g.announced[e.ID]; was != nil {
		reg.shared, reg.stored = was.shared, was.stored
		delete(g.announced, e.ID)
	}
	g.shareLocked(reg, now)
	return reg.entry, nil
}

// Update changes the game with an ID and returns it. The function change must not call the
// Games nor keep e; its changes to Key, ID, Source, Opened, Seen, Unreachable and Withheld have
// no effect. The error is ErrGone or an error of Add. On error, nothing has changed.
func (g *Games) Update(id uint32, change func(e *Entry)) (Entry, error) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote {
		return Entry{}, ErrGone
	}
	if err := g.updateLocked(reg, change, now); err != nil {
		return Entry{}, err
	}
	return reg.entry, nil
}

// Adopt is Update for a game that may be one of another node. It becomes a game of this node,
// because its host has moved here.
func (g *Games) Adopt(id uint32, change func(e *Entry)) (Entry, error) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil {
		return Entry{}, ErrGone
	}
	g.adoptLocked(reg, now)
	if err := g.updateLocked(reg, change, now); err != nil {
		return Entry{}, err
	}
	return reg.entry, nil
}

func (g *Games) adoptLocked(reg *registration, now time.Time) {
	if reg.remote {
		reg.check = check{}
		reg.check.delay(now, !reg.entry.Unreachable)
		reg.remote, reg.shared, reg.stored = false, time.Time{}, true
	}
}

func (g *Games) updateLocked(reg *registration, change func(e *Entry), now time.Time) error {
	e := &g.draft
	*e = reg.entry
	change(e)
	e.Key, e.ID, e.Source, e.Opened, e.Seen = reg.entry.Key, reg.entry.ID, reg.entry.Source, reg.entry.Opened, now
	e.Unreachable = reg.entry.Unreachable
	e.Game.Host, e.Game.GameID = reg.entry.Game.Host, reg.entry.Game.GameID
	if e.isSame(&reg.entry) {
		g.touchLocked(reg, e.Expires, now)
		return nil
	}
	if err := g.replaceLocked(reg, e); err != nil {
		return err
	}
	g.shareLocked(reg, now)
	return nil
}

// Touch records that the host of a game is alive, and sets the time at which the game
// expires, as Entry.Expires does. It reports whether the game exists.
func (g *Games) Touch(id uint32, expires time.Time) (ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote {
		return false
	}
	g.touchLocked(reg, expires, now)
	return true
}

func (g *Games) touchLocked(reg *registration, expires, now time.Time) {
	reg.entry.Seen, reg.entry.Expires = now, expires
	g.setDeadlineLocked(reg)
	if now.Sub(reg.shared) >= shareEvery {
		g.shareLocked(reg, now)
	}
}

// Remove removes a game and reports whether it existed. A game may be one of another node if
// its host may send each request to any node, which all do but those of a warzonenet.Lobby.
func (g *Games) Remove(id uint32) (ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote && reg.entry.Source == SourceLobby {
		return false
	}
	g.adoptLocked(reg, now)
	g.removeLocked(reg)
	g.unshareLocked(reg, id)
	return true
}

// Review calls Admit again for the games with the IDs or, without IDs, for every game, after the
// rules of Admit have changed.
func (g *Games) Review(ids ...uint32) {
	review := func(i int) {
		reg := *g.table.Value(i)
		// Encoding cannot fail, because it has succeeded before.
		if g.judgeLocked(reg) && g.encodeLocked(&reg.entry) == nil {
			g.presentLocked(reg)
		}
	}
	if len(ids) == 0 {
		g.table.Each(g.locked, review)
		return
	}
	g.table.EachOf(g.keysOf(ids), g.locked, review)
}

// keysOf returns the keys of the games with the IDs.
func (g *Games) keysOf(ids []uint32) (keys []netip.AddrPort) {
	defer g.locked()()
	for _, id := range ids {
		if reg := g.byID[id]; reg != nil {
			keys = append(keys, reg.entry.Key)
		}
	}
	return keys
}
