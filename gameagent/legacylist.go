package gameagent

import (
	"bytes"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyServerList answers a [LegacyListRequest], on the same connection.
//
//	size  field
//	per server:
//	4     addr, IPv4
//	2     port, for queries, big-endian
//	then:
//	7     final, "\final\"
type LegacyServerList struct {
	// Servers are addresses of queries, not of games.
	Servers []netip.AddrPort
}

// legacyEnd ends the list.
const legacyEnd = `\` + finalKey + `\`

// ParseLegacyServerList reads a [LegacyServerList]. Bytes after its end are
// ignored. While a stream does not hold the end yet the error is
// [lobbywire.ErrTruncated]. More than [MaxLegacyServers] servers are refused.
func ParseLegacyServerList(b []byte) (LegacyServerList, error) {
	return Options{}.ParseLegacyServerList(b)
}

// ParseLegacyServerList reads a [LegacyServerList]. With Strict, bytes after its
// end are refused.
func (o Options) ParseLegacyServerList(b []byte) (LegacyServerList, error) {
	r := wire.NewReader(b)
	var m LegacyServerList
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return LegacyServerList{}, err
	}
	return m, nil
}

// ExplainLegacyServerList accounts for every byte of a [LegacyServerList].
func ExplainLegacyServerList(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyServerList", b, func(r *wire.Reader) { new(LegacyServerList).decode(r, Options{}) })
}

func (m *LegacyServerList) decode(r *wire.Reader, o Options) {
	m.Servers = make([]netip.AddrPort, 0, min(r.Len()/entrySize, MaxLegacyServers))
	for !r.Failed() {
		if bytes.HasPrefix(r.Peek(), []byte(legacyEnd)) {
			r.In("", -1)
			r.ViewWithin(0, len(legacyEnd), 0, "final")
			decodeEnd(r, o)
			return
		}
		r.In("servers", len(m.Servers))
		if len(m.Servers) == MaxLegacyServers && r.Len() >= len(legacyEnd) {
			r.Fail(lobbywire.ErrTooLarge, "", r.Offset())
		}
		addr := r.IPv4("addr")
		m.Servers = append(m.Servers, netip.AddrPortFrom(addr, r.Uint16("port")))
	}
}

// AppendBinary appends the wire form to b. It refuses addresses that are not
// IPv4, port 0, more than [MaxLegacyServers] servers, and a server that together
// with the byte after it reads as the end: 92.102.105.110:24940 before another
// that begins with 92, or at the end.
func (m LegacyServerList) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if len(m.Servers) > MaxLegacyServers {
		w.Fail(lobbywire.ErrTooLarge, "servers")
		return w.Finish(proto)
	}
	for i, s := range m.Servers {
		w.In("servers", i)
		if !s.Addr().Is4() {
			w.Fail(lobbywire.ErrInvalid, "addr")
			break
		}
		if s.Port() == 0 {
			w.Fail(lobbywire.ErrInvalid, "port")
		}
		ip := s.Addr().As4()
		if ip == [4]byte([]byte(legacyEnd)) && s.Port() == 'a'<<8|'l' && m.beforeSlash(i) {
			w.Fail(lobbywire.ErrInvalid, "")
		}
		w.Bytes(ip[:])
		w.Uint16(s.Port())
	}
	w.Text(legacyEnd)
	return w.Finish(proto)
}

// beforeSlash tells whether a backslash follows the server number i.
func (m *LegacyServerList) beforeSlash(i int) bool {
	if i++; i == len(m.Servers) {
		return true
	}
	next := m.Servers[i].Addr()
	return next.Is4() && next.As4()[0] == slash
}

// MarshalBinary returns the wire form.
func (m LegacyServerList) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyServerList] does.
func (m *LegacyServerList) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyServerList(b)
	return err
}
