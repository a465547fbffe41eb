package sb2

import (
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ErrorPort is the DefaultPort of a [List] that contains an error instead of
// servers.
const ErrorPort = math.MaxUint16

// A List is the decrypted answer to a [ListRequest]. An [Answer] is the encrypted
// form, and a [MasterStream] reads it from a connection.
//
// The number of keys, the number of popular values and the type of a key are one byte each.
// A server whose IP is 255.255.255.255 ends the list.
//
//wire:message
type List struct {
	ClientIP    netip.Addr // of the client, as the master sees it; IPv4
	DefaultPort uint16     // the query port of servers without a port of their own

	// Error is the reason why there is no list, if DefaultPort is [ErrorPort].
	// Nothing follows it.
	Error string

	// NoList means that there is no list, because the request contains [OptionNoList].
	// Nothing follows the port.
	NoList bool

	Keys    []Key
	Popular []string // values that fields refer to
	Servers []Server
}

// decode reads a list until its end. If Options.NoList is set, it ends after
// the port.
func (m *List) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *List) read(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.readStart(r, o)
	if m.isStart() {
		return
	}
	var mem arena
	var list serverList
	f := m.form()
	for !r.Failed() {
		if p := r.Peek(); len(p) >= minServer && isEnd(p) {
			break
		}
		at := r.Offset()
		r.In("servers", list.n)
		if list.n >= MaxServers && r.Len() >= minServer {
			r.Exceed("", at, list.n+1, MaxServers)
		}
		list.next(r.Len()).decode(r, &f, &mem)
	}
	m.Servers = list.servers()
	r.In("", -1)
	decodeEnd(r, o)
}

// decodeEnd reads the end of the servers. Its flags are 0 from GameSpy's masters.
func decodeEnd(r *wire.Reader, o Options) {
	at := r.Offset()
	if r.Uint8("endFlags") != 0 && o.Strict {
		r.Refuse("endFlags", at, "is not 0")
	}
	r.Skip(len(endIP), "end")
}

// readStart reads the part before the servers.
func (m *List) readStart(r *wire.Reader, o Options) {
	m.ClientIP = r.IPv4("clientIp")
	m.DefaultPort = r.Uint16("defaultPort")
	if m.DefaultPort == ErrorPort {
		m.Error = r.Text0("error")
		return
	}
	m.NoList = o.NoList
	if m.NoList {
		return
	}
	m.Keys = decodeKeys(r, "keys")
	m.Popular = decodeTexts(r, "popularCount", "popular")
}

// isStart reports whether no servers follow.
func (m *List) isStart() bool { return m.NoList || m.DefaultPort == ErrorPort }

func (m *List) form() form { return form{keys: m.Keys, popular: m.Popular, inList: true} }

// append fails if an address is not IPv4, if there are too many keys or popular values, if
// a text contains a zero byte, if a server has a field without its flag, if its Fields do
// not match Keys, or if Error or NoList is set together with anything that they exclude.
func (m *List) append(w *wire.Writer) {
	m.appendStart(w)
	if m.isStart() {
		if len(m.Keys)+len(m.Popular)+len(m.Servers) > 0 || m.NoList && m.DefaultPort == ErrorPort {
			w.Refuse("noList", "a list follows")
		}
		return
	}
	f := m.form()
	f.indexPopular()
	for i := range m.Servers {
		w.In("servers", i)
		m.Servers[i].append(w, &f)
	}
	w.In("", -1)
	appendEnd(w)
}

func (m *List) appendStart(w *wire.Writer) {
	appendIP(w, "clientIp", m.ClientIP)
	w.Uint16(m.DefaultPort)
	if m.DefaultPort == ErrorPort {
		w.Text0("error", m.Error)
		return
	}
	if m.Error != "" {
		w.Refuse("error", "needs ErrorPort as the default port")
	}
	if m.NoList {
		return
	}
	appendKeys(w, "keys", m.Keys)
	appendTexts(w, "popularCount", "popular", m.Popular)
}

func appendEnd(w *wire.Writer) {
	w.Uint8(0)
	w.Text(endIP)
}
