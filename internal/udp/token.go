package udp

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"net/netip"
	"sync"
	"time"
)

// A Minter makes challenges that need no memory: a token is a keyed hash of
// the asker's address and the time, so whoever can repeat it receives what is
// sent to that address. Its zero value is ready.
type Minter struct {
	// Slot is how long tokens are the same. A token is valid in its slot and
	// in the next.
	Slot time.Duration

	once sync.Once
	key  [16]byte
}

// Token returns the token for from at the time now.
func (m *Minter) Token(from netip.AddrPort, now time.Time) uint32 {
	return m.token(from, m.slot(now))
}

// Tokens returns the valid tokens for from at the time now: that of its slot and
// of the one before. Compare with both, and in constant time.
func (m *Minter) Tokens(from netip.AddrPort, now time.Time) [2]uint32 {
	slot := m.slot(now)
	return [...]uint32{m.token(from, slot), m.token(from, slot-1)}
}

// Valid tells whether token is one of Tokens. It takes the same time whatever a
// wrong token is.
func (m *Minter) Valid(from netip.AddrPort, token uint32, now time.Time) bool {
	valid := m.Tokens(from, now)
	return subtle.ConstantTimeEq(int32(valid[0]), int32(token))|
		subtle.ConstantTimeEq(int32(valid[1]), int32(token)) == 1
}

func (m *Minter) slot(now time.Time) uint64 { return uint64(now.UnixNano()) / uint64(m.Slot) }

// token hashes all that a token depends on.
func (m *Minter) token(from netip.AddrPort, slot uint64) uint32 {
	m.once.Do(func() { rand.Read(m.key[:]) })
	var in [26]byte
	addr := from.Addr().As16()
	copy(in[:], addr[:])
	binary.BigEndian.PutUint64(in[16:], slot)
	binary.BigEndian.PutUint16(in[24:], from.Port())
	return uint32(sipHash(&m.key, in[:]))
}
