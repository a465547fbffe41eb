package gamespy1

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An AddressList answers a [ListRequest] whose List is not "cmp", as those
// of Unreal. It contains the same addresses as a [ServerList], as text.
//
//	\ip\192.0.2.1:7778\ip\192.0.2.2:7778\final\
//
//wire:message
type AddressList struct {
	Servers []netip.AddrPort // addresses for queries
	Extra   []Pair           // other pairs, and addresses that are not IPv4 with a port
}

// minAddress is the size of the shortest address with its key.
const minAddress = len(`ip\1.2.3.4:5\`)

// addressKey is the key of an address.
const addressKey = "ip"

// decode ignores bytes after the end of the list; with Options.Strict it refuses them. If a
// stream does not contain the end yet, the error is [lobbywire.ErrTruncated]. More than
// [MaxServers] servers are refused; with Options.Part the list contains the first ones.
func (m *AddressList) decode(r *wire.Reader, o Options) {
	pairs.DecodeLiteral(r, `\`, "separator")
	m.Servers = make([]netip.AddrPort, 0, min(r.Len()/minAddress, MaxServers))
	for !r.Failed() {
		r.In("", -1)
		at := r.Offset()
		key := r.TextBefore(slash, "key")
		if key == finalKey {
			decodeEnd(r, o)
			return
		}
		if key == addressKey {
			r.In("servers", len(m.Servers))
		} else {
			r.In("extra", len(m.Extra))
		}
		value := r.TextBefore(slash, "value")
		a, ok := parseAddress(value)
		switch {
		case r.Failed():
		case !ok || key != addressKey:
			m.Extra = append(pairs.Room(m.Extra, r.Len()), Pair{Key: key, Value: value})
		case len(m.Servers) == MaxServers && o.Part:
			r.In("", -1)
			r.Skip(r.Len(), "ignored")
			return
		case len(m.Servers) == MaxServers:
			r.Exceed("", at, MaxServers+1, MaxServers)
		default:
			m.Servers = append(m.Servers, a)
		}
	}
}

// append fails if an address is not IPv4, if a port is 0, if there are more than
// [MaxServers] servers, if a text contains a backslash or a zero byte, or if Extra
// holds a pair that decoding does not put there.
func (m *AddressList) append(w *wire.Writer) {
	if len(m.Servers) > MaxServers {
		w.Exceed("servers", len(m.Servers), MaxServers)
		return
	}
	for i, s := range m.Servers {
		w.In("servers", i)
		w.TextAfter(slash, addressKey)
		w.Uint8(slash)
		appendAddress(w, s)
	}
	w.In("", -1)
	pairs.AppendExtra(w, slash, m.Extra, func(p Pair) bool {
		_, ok := parseAddress(p.Value)
		return p.Key == finalKey || p.Key == addressKey && ok
	})
	w.Text(endMark)
}
