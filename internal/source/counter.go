package source

import "net/netip"

// A Counter counts things of addresses, such as connections, within limits. Its zero value
// is ready and has no limits. It is not safe for concurrent use.
type Counter struct {
	Max           int // in total; 0 is no limit, here and below
	MaxPerAddress int // of an IPv4 address or an IPv6 /64
	MaxPerPrefix  int // of an IPv4 /24 or an IPv6 /48

	count    int
	sources  map[uint64]int32
	prefixes map[uint64]int32
}

// Add counts one more for an address, and reports whether it is within the limits. Things
// without an address, such as a connection of a Unix socket, count only in total.
func (c *Counter) Add(a netip.Addr) bool {
	if !below(c.count, c.Max) {
		return false
	}
	if a.IsValid() {
		if source, prefix := c.Counts(a); !below(source, c.MaxPerAddress) || !below(prefix, c.MaxPerPrefix) {
			return false
		}
		if c.sources == nil {
			c.sources, c.prefixes = make(map[uint64]int32), make(map[uint64]int32)
		}
		source := Of(a)
		c.sources[source]++
		c.prefixes[Prefix(source)]++
	}
	c.count++
	return true
}

// Limits returns a Counter that has counted nothing, with the limits of c.
func (c *Counter) Limits() Counter {
	return Counter{Max: c.Max, MaxPerAddress: c.MaxPerAddress, MaxPerPrefix: c.MaxPerPrefix}
}

// SetLimits replaces the limits of c and keeps the counts.
func (c *Counter) SetLimits(limits Counter) {
	c.Max, c.MaxPerAddress, c.MaxPerPrefix = limits.Max, limits.MaxPerAddress, limits.MaxPerPrefix
}

// A Scope is the set of addresses that a limit applies to.
type Scope int

// The scopes.
const (
	Total Scope = iota
	Address
	Network // the prefix of the address
)

// Exceeded returns the limit that makes Add refuse one more of an address, and its scope.
// If Add does not refuse it, the limit is 0.
func (c *Counter) Exceeded(a netip.Addr) (of Scope, limit int) {
	if !below(c.count, c.Max) {
		return Total, c.Max
	}
	if a.IsValid() {
		source, prefix := c.Counts(a)
		if !below(source, c.MaxPerAddress) {
			return Address, c.MaxPerAddress
		}
		if !below(prefix, c.MaxPerPrefix) {
			return Network, c.MaxPerPrefix
		}
	}
	return Total, 0
}

func below(n, limit int) bool { return limit == 0 || n < limit }

// Remove reverts an Add.
func (c *Counter) Remove(a netip.Addr) {
	c.count--
	if a.IsValid() {
		source := Of(a)
		release(c.sources, source)
		release(c.prefixes, Prefix(source))
	}
}

func release(counts map[uint64]int32, of uint64) {
	counts[of]--
	if counts[of] == 0 {
		delete(counts, of)
	}
}

// Counts returns the counts of the source and the prefix of a valid address.
func (c *Counter) Counts(a netip.Addr) (source, prefix int) {
	s := Of(a)
	return int(c.sources[s]), int(c.prefixes[Prefix(s)])
}

// Len returns the total.
func (c *Counter) Len() int { return c.count }
