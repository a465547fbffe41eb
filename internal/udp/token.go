package udp

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"net/netip"
	"sync"
	"time"
)

// A Minter makes challenges without a table: a token is a keyed hash of the client's
// address and the time, so a client that returns it receives datagrams at that address.
// The token is valid for all local addresses. Slot must be set.
type Minter struct {
	// Slot is how long the token of an address stays the same. A token is valid
	// in its slot and in the next.
	Slot time.Duration

	once  sync.Once
	key   [16]byte
	epoch time.Time // slots count from here, by the monotonic clock
}

// Token returns the token for from at the time now. It is never 0.
func (m *Minter) Token(from netip.AddrPort, now time.Time) uint32 {
	return m.token(from, m.slot(now))
}

// Valid reports whether token is the token of from at the time now or in the slot before.
// It takes the same time for all wrong tokens.
func (m *Minter) Valid(from netip.AddrPort, token uint32, now time.Time) bool {
	return m.ValidAs(func(t uint32) int32 { return int32(t) }, from, int32(token), now)
}

// ValidAs is like [Minter.Valid], for protocols that send form(token) in place of a token.
func (m *Minter) ValidAs(form func(uint32) int32, from netip.AddrPort, n int32, now time.Time) bool {
	slot := m.slot(now)
	return subtle.ConstantTimeEq(form(m.token(from, slot)), n) == 1 ||
		subtle.ConstantTimeEq(form(m.token(from, slot-1)), n) == 1
}

func (m *Minter) slot(now time.Time) uint64 {
	m.once.Do(func() {
		rand.Read(m.key[:])
		m.epoch = now
	})
	return uint64(now.Sub(m.epoch) / m.Slot)
}

// token returns the keyed hash of an address and a slot.
func (m *Minter) token(from netip.AddrPort, slot uint64) uint32 {
	var in [26]byte
	addr := from.Addr().As16()
	copy(in[:], addr[:])
	binary.BigEndian.PutUint64(in[16:], slot)
	binary.BigEndian.PutUint16(in[24:], from.Port())
	return max(uint32(sipHash(&m.key, in[:])), 1)
}

// Letters returns a token as 6 letters and digits, the form of challenges of masters of
// GameSpy. No two tokens have the same form.
func Letters(token uint32) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	var b [6]byte
	for i := range b {
		b[i] = letters[token%uint32(len(letters))]
		token /= uint32(len(letters))
	}
	return string(b[:])
}
