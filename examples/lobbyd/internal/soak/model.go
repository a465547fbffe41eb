package soak

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"
)

// A Model is the expected content of lists.
type Model struct {
	mu    sync.Mutex
	hosts []known
}

// A known is the state of a host.
type known struct {
	kind   Kind
	phase  phase
	since  time.Time // of the phase
	port   uint16    // game port
	names  int       // number of revisions so far; the last is current
	former []former
}

// A former is an earlier name of a host.
type former struct {
	revision int
	until    time.Time
}

type phase int

const (
	away phase = iota
	coming
	here
	going
)

func newModel(kinds []Kind) *Model {
	m := &Model{hosts: make([]known, len(kinds))}
	for i, k := range kinds {
		m.hosts[i].kind = k
	}
	return m
}

// come records that a host starts to join. It returns its name.
func (m *Model) come(id int, port uint16) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := &m.hosts[id]
	h.phase, h.since, h.port = coming, time.Now(), port
	return m.renameLocked(id)
}

// came records that a host has joined, unless it has started to leave.
func (m *Model) came(id int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := &m.hosts[id]; h.phase == coming {
		h.phase, h.since = here, time.Now()
	}
}

// rename gives a host another name.
func (m *Model) rename(id int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.renameLocked(id)
}

func (m *Model) renameLocked(id int) string {
	h, now := &m.hosts[id], time.Now()
	for len(h.former) > 0 && now.Sub(h.former[0].until) > time.Minute {
		h.former = h.former[1:]
	}
	h.former = append(h.former, former{h.names, now})
	h.names++
	return name(id, h.names)
}

// leave records that a host starts to leave.
func (m *Model) leave(id int) { m.move(id, going) }

// left records that a host has left.
func (m *Model) left(id int) { m.move(id, away) }

func (m *Model) move(id int, to phase) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hosts[id].phase, m.hosts[id].since = to, time.Now()
}

// Listed is a server in a list. Name is empty if the list lacks names.
type Listed struct {
	Name string
	At   netip.AddrPort
}

// A view is the list in one protocol.
type view struct {
	name    string
	kinds   map[Kind]bool
	lag     time.Duration // added to Lag
	nowhere bool          // its lists have no ports
}

// check adds the hosts of a list that was requested at began to seen. It returns the
// faults of the list.
func (m *Model) check(v view, began time.Time, list []Listed, seen map[int]bool) (wrong []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	twice := make(map[int]bool, len(list))
	for _, l := range list {
		id, ours := idOf(l.At.Addr())
		if !ours || id >= len(m.hosts) || !v.kinds[m.hosts[id].kind] {
			wrong = append(wrong, fmt.Sprintf("has a stranger, %q at %v", l.Name, l.At))
			continue
		}
		h := &m.hosts[id]
		if twice[id] {
			wrong = append(wrong, fmt.Sprintf("has %v twice", h.describe(id)))
		}
		twice[id], seen[id] = true, true
		settled := began.Sub(h.since) > Lag+v.lag
		switch {
		case h.phase == away && settled:
			wrong = append(wrong, fmt.Sprintf("still has %v", h.describe(id)))
		case h.phase == here && settled && !v.nowhere && l.At.Port() != h.port && (h.kind != HTTP || l.At.Port() != 0):
			wrong = append(wrong, fmt.Sprintf("has %v at port %d", h.describe(id), l.At.Port()))
		}
		if l.Name == "" && h.kind == GameAgent {
			continue
		}
		named, revision, ok := parseName(l.Name)
		isOld := !h.had(revision, began.Add(-h.kind.updateLag()-v.lag))
		if !ok || named != id || h.kind != GameAgent && isOld {
			wrong = append(wrong, fmt.Sprintf("has %v by the name %q", h.describe(id), l.Name))
		}
	}
	return wrong
}

// had reports whether a revision was current at any time since a time.
func (h *known) had(revision int, since time.Time) bool {
	if revision == h.names {
		return true
	}
	for _, f := range h.former {
		if f.revision == revision {
			return f.until.After(since)
		}
	}
	return false
}

// missing returns the hosts that the lists lack although they were listed since began. It
// also returns how many hosts the lists must contain, and how many they must not.
func (m *Model) missing(v view, began time.Time, seen map[int]bool) (wrong []string, present, absent uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.hosts {
		h := &m.hosts[id]
		if !v.kinds[h.kind] || began.Sub(h.since) <= Lag+v.lag {
			continue
		}
		switch h.phase {
		case away:
			absent++
		case here:
			present++
			if !seen[id] {
				wrong = append(wrong, "lacks "+h.describe(id))
			}
		}
	}
	return wrong, present, absent
}

// must returns some hosts that lists must have, by the names that they must have.
func (m *Model) must(v view, most int) map[int]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, names := time.Now(), make(map[int]string)
	for _, id := range rand.Perm(len(m.hosts)) {
		h := &m.hosts[id]
		if len(names) == most {
			break
		}
		if v.kinds[h.kind] && h.phase == here && now.Sub(h.since) > Lag &&
			now.Sub(h.former[len(h.former)-1].until) > h.kind.updateLag() {
			names[id] = name(id, h.names)
		}
	}
	return names
}

// still reports whether a host is listed under the same name.
func (m *Model) still(id int, by string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := &m.hosts[id]
	return h.phase == here && name(id, h.names) == by
}

// describe describes a host in readable form.
func (h *known) describe(id int) string {
	doing := map[phase]string{away: "away", coming: "coming", here: "here", going: "going"}[h.phase]
	return fmt.Sprintf("%s, %s, %s for %.1f s", name(id, h.names), h.kind, doing, time.Since(h.since).Seconds())
}

// count returns the number of hosts that are listed.
func (m *Model) count() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.hosts {
		if h.phase == here {
			n++
		}
	}
	return n
}
