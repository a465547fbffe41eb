package registration

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
)

// Masters are the masters to which the registrations of a server send, so that the
// server answers them. Its zero value is empty. Reading it takes no lock.
type Masters[R comparable] struct {
	mu  sync.Mutex
	all atomic.Pointer[[]Known[R]] // replaced under mu
}

// A Known is the master of a registration.
type Known[R comparable] struct {
	Addr         netip.AddrPort
	Registration R
}

// All returns the masters, which must not be changed.
func (m *Masters[R]) All() []Known[R] {
	if all := m.all.Load(); all != nil {
		return *all
	}
	return nil
}

// Put adds a master in place of the one of its registration.
func (m *Masters[R]) Put(r R, addr netip.AddrPort) { m.change(r, Known[R]{addr, r}) }

// Remove removes the master of a registration.
func (m *Masters[R]) Remove(r R) { m.change(r) }

func (m *Masters[R]) change(r R, by ...Known[R]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(m.All()), func(k Known[R]) bool { return k.Registration == r })
	all = append(all, by...)
	m.all.Store(&all)
}
