package gameagent

import (
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An EncodedLegacyList is a [LegacyServerList] that stays encoded while servers are
// added and removed. Its zero value is the empty list, and ready. It must not be
// copied after the first use.
type EncodedLegacyList struct {
	entries []byte
	whole   []byte // result of Bytes; nil after a change
}

// Len returns the number of servers.
func (l *EncodedLegacyList) Len() int { return len(l.entries) / serverSize }

// Bytes returns the list. The result does not change when the list does, and must not
// be changed.
func (l *EncodedLegacyList) Bytes() []byte {
	if l.whole == nil {
		l.whole = slices.Concat(l.entries, []byte(legacyEnd))
	}
	return l.whole
}

// Add adds a server at the end, at index Len. It fails as AppendBinary of a
// [LegacyServerList] of this server does, and if there are [MaxServers] servers.
func (l *EncodedLegacyList) Add(server netip.AddrPort) error {
	w := wire.NewWriter(l.entries)
	appendLegacyServer(&w, server, true)
	if n := l.Len(); n == MaxServers {
		w.Exceed("servers", n+1, MaxServers)
	}
	b, err := w.Finish(proto)
	if err == nil {
		l.entries, l.whole = b, nil
	}
	return err
}

// Remove removes the server at index i. The last server takes its place.
func (l *EncodedLegacyList) Remove(i int) {
	last := l.Len() - 1
	copy(l.entry(i), l.entry(last))
	l.entries, l.whole = l.entries[:last*serverSize], nil
}

// entry returns the bytes of the server at index i.
func (l *EncodedLegacyList) entry(i int) []byte { return l.entries[i*serverSize : (i+1)*serverSize] }
