package wzhttpnet

import (
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A hosted is a game with the addresses that its host has announced. Unless it is
// published, its Key is the address of the host, without a port. The mutex of the lobby
// guards all fields except ID and Session, which never change.
type hosted struct {
	warzonegames.Entry
	number    int // in the table
	conns     []*hostConn
	shared    time.Time // when other nodes last received it
	published bool
}

// A hostConn is an address of a game, with the state of its check.
type hostConn struct {
	warzonegames.AnnouncedAddress
	until time.Time // when the check ends at the latest, here or at another node
}

func newConn(kind wzhttp.ConnectionType, at netip.AddrPort, status wzhttp.Validation) *hostConn {
	return &hostConn{AnnouncedAddress: warzonegames.AnnouncedAddress{Kind: kind, At: at, Status: status}}
}

// kindOf returns the connection type of an address.
func kindOf(a netip.AddrPort) wzhttp.ConnectionType {
	if a.Addr().Is4() {
		return wzhttp.TCP4
	}
	return wzhttp.TCP6
}

// indexOf returns the index of the address of a type, or -1.
func (h *hosted) indexOf(kind wzhttp.ConnectionType) int {
	return slices.IndexFunc(h.conns, func(c *hostConn) bool { return c.Kind == kind })
}

// status returns the answer to the host. If the game is withheld because it does not answer any
// more, all connections have failed, but the game counts as published: otherwise hosts of 4.7 end
// their listing permanently.
func (h *hosted) status() wzhttp.Status {
	s := wzhttp.Status{GameID: gameIDOf(h.ID), Published: h.published, Connections: []wzhttp.ConnectionStatus{}}
	for _, c := range h.conns {
		status := c.Status
		if h.published && h.Unreachable {
			status = wzhttp.ValidationError
		}
		s.Connections = append(s.Connections, wzhttp.ConnectionStatus{Type: c.Kind, Status: status})
	}
	return s
}

// reached returns the addresses that have been validated. Clients before 4.7 prefer IPv4,
// so those come first.
func (h *hosted) reached() (all []netip.AddrPort) {
	for _, c := range h.conns {
		if c.Status == wzhttp.ValidationValidated {
			all = append(all, c.At)
		}
	}
	slices.SortStableFunc(all, func(a, b netip.AddrPort) int { return a.Addr().BitLen() - b.Addr().BitLen() })
	return all
}

// unpublished returns a game that is not published in the form in which nodes share it.
func (h *hosted) unpublished(expires time.Time) warzonegames.Entry {
	e := h.Entry
	e.Seen, e.Expires, e.HTTP.Announced = time.Now(), expires, nil
	for _, c := range h.conns {
		e.HTTP.Announced = append(e.HTTP.Announced, c.AnnouncedAddress)
	}
	return e
}

// hostingLife is how long an unpublished game is kept after the last request of its
// host, which sends one at least every 5 s. After a game is published, the results of
// checks are kept for as long.
const hostingLife = 20 * time.Second

// A hostings has the games whose hosts have sent a request lately, within limits.
type hostings struct {
	table registry.Table[netip.AddrPort, *hosted] // by source and low half of the ID
	byID  map[uint32]*hosted
}

// init sets the limits of addresses.
func (t *hostings) init() {
	t.table.MaxPerAddress = serving.MaxPerAddress
	t.table.MaxPerPrefix = serving.MaxPerPrefix
	t.byID = make(map[uint32]*hosted)
}

// keep adds a game, if there is room for it.
func (t *hostings) keep(h *hosted, now time.Time) (ok bool) {
	t.expire(now)
	h.number, ok = t.table.Add(h.place(), now.Add(hostingLife))
	if ok {
		*t.table.Value(h.number) = h
		t.byID[h.ID] = h
	}
	return ok
}

// takeOver adds the state of an unpublished game that another node, or this node before a
// restart, has shared; until is when the checks of that node end. It returns false if there
// is no room for the game.
func (t *hostings) takeOver(e warzonegames.Entry, until time.Time) (ok bool) {
	var conns []*hostConn
	for _, a := range e.HTTP.Announced {
		if a.At.IsValid() { // unless the Store is faulty
			conns = append(conns, &hostConn{a, until})
		}
	}
	h, now := t.byID[e.ID], time.Now()
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		return t.keep(&hosted{Entry: e, conns: conns, shared: now}, now)
	}
	for _, theirs := range conns {
		i := h.indexOf(theirs.Kind)
		switch {
		case i < 0:
			h.conns = append(h.conns, theirs)
		case h.conns[i].Status != wzhttp.ValidationValidated:
			*h.conns[i] = *theirs
		}
	}
	return true
}

// place returns the key of a game in the table, whose keys are addresses and ports.
func (h *hosted) place() netip.AddrPort { return netip.AddrPortFrom(h.Key.Addr(), uint16(h.ID)) }

// isTaken reports whether a new game cannot have its ID beside the other games.
func (t *hostings) isTaken(h *hosted) bool {
	_, isTaken := t.table.Find(h.place())
	return isTaken || t.byID[h.ID] != nil
}

// has reports whether a game has not been removed.
func (t *hostings) has(h *hosted) bool { return t.byID[h.ID] == h }

// touch keeps a game for longer.
func (t *hostings) touch(h *hosted, now time.Time) {
	if t.has(h) {
		t.table.SetDeadline(h.number, now.Add(hostingLife))
	}
}

// remove removes a game, and reports whether it was there.
func (t *hostings) remove(h *hosted) (ok bool) {
	if !t.has(h) {
		return false
	}
	delete(t.byID, h.ID)
	t.table.Remove(h.number)
	return true
}

// expire removes the games of hosts that have not sent another request in time.
func (t *hostings) expire(now time.Time) {
	t.table.Expire(now, math.MaxInt, func(i int) { delete(t.byID, (*t.table.Value(i)).ID) })
}
