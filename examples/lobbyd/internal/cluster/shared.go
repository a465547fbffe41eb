package cluster

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A shared is the Store of a family with entries E and keys K.
type shared[E, K any] struct {
	cluster *Cluster
	family  catalogue.Family
	id      func(K) string
	parseID func(string) (K, bool)
	encode  func(E) (id K, body []byte, until time.Time)

	// decode decodes an entry. Its Seen time is at least floor.
	decode func(id K, body []byte, floor time.Time) (E, bool)
}

// Put queues an entry of this node for writing.
func (s *shared[E, K]) Put(e E) {
	id, body, until := s.encode(e)
	s.cluster.put(keyOf(s.family, s.id(id)), body, until)
}

// Remove queues an entry for removal.
func (s *shared[E, K]) Remove(id K) { s.cluster.remove(keyOf(s.family, s.id(id))) }

// Watch calls back with the entries of other nodes.
func (s *shared[E, K]) Watch(put func(E), remove func(K)) (stop func()) {
	return s.cluster.listen(string(s.family), &sink{
		put: func(id string, body []byte, floor time.Time) {
			if k, ok := s.parseID(id); ok {
				if e, ok := s.decode(k, body, floor); ok {
					put(e)
				}
			}
		},
		remove: func(id string) {
			if k, ok := s.parseID(id); ok {
				remove(k)
			}
		},
	})
}

// keyOf returns the key of an entry in the bucket. IDs contain no dots.
func keyOf[F ~string](family F, id string) string { return string(family) + "." + id }

// idOf returns the ID in a key, from its usual form.
func idOf(f catalogue.Family, key string) (string, bool) {
	if f != catalogue.GameAgent && f != catalogue.GameSpy {
		return key, true
	}
	addr, err := netip.ParseAddrPort(key)
	return addrID(addr), err == nil
}

// addrID returns an address as it is in keys, which cannot contain colons: its binary
// form in hexadecimal.
func addrID(addr netip.AddrPort) string {
	b, _ := addr.MarshalBinary() // does not fail
	return hex.EncodeToString(b)
}

func parseAddrID(id string) (addr netip.AddrPort, ok bool) {
	b, err := hex.DecodeString(id)
	return addr, err == nil && addr.UnmarshalBinary(b) == nil && addr.IsValid()
}

func numberID[N uint32 | uint64](n N) string { return strconv.FormatUint(uint64(n), 10) }

func parseNumberID[N uint32 | uint64](id string) (N, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	return N(n), err == nil && uint64(N(n)) == n
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
