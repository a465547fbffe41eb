package sb2

import (
	"bytes"
	"math"
	"net/netip"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Flags describe how clients reach a server, and which of its fields are
// present.
type Flags uint8

// The flags.
const (
	FlagUnsolicitedUDP Flags = 1 << 0 // clients can query the server
	FlagPrivateIP      Flags = 1 << 1 // PrivateIP is present
	FlagNATNegotiation Flags = 1 << 2 // clients can connect by NAT negotiation
	FlagICMPIP         Flags = 1 << 3 // ICMPIP is present
	FlagPort           Flags = 1 << 4 // Port is present
	FlagPrivatePort    Flags = 1 << 5 // PrivatePort is present
	FlagFields         Flags = 1 << 6 // Fields are present
	FlagRules          Flags = 1 << 7 // Rules are present
)

var flagNames = [...]string{"unsolicitedUDP", "privateIP", "natNegotiation", "icmpIP", "port", "privatePort", "fields",
	"rules"}

// String returns the names of the flags, such as "port|fields", or "0".
func (f Flags) String() string { return wire.BitNames(f, flagNames[:], 0, "0") }

// A Server is a server in a [List] or a [PushServer].
//
// On the wire, Fields are only values, in the order of the list's keys. In a list, the
// value of a text key is the index of a popular value, one byte, or the byte 255 and the
// text. Rules end with an empty key.
type Server struct {
	Flags Flags
	IP    netip.Addr // public, IPv4

	// Port is the query port, with FlagPort. Without the flag, it is 0 and the query port
	// is the DefaultPort of the list.
	Port uint16

	PrivateIP   netip.Addr // in the network of the server, IPv4; with FlagPrivateIP
	PrivatePort uint16     // with FlagPrivatePort; otherwise 0, for the DefaultPort
	ICMPIP      netip.Addr // the address to ping, IPv4; with FlagICMPIP

	// Fields are the values for the keys of the list, in the same order, with
	// FlagFields. Numbers are in decimal.
	Fields []KeyValue

	// Rules are all keys of the server, with FlagRules. A server in a list contains either
	// Fields or Rules: GameSpy's client fails to read both.
	Rules []KeyValue
}

// AddrPort returns the public address for queries, given the default port of the
// list.
func (m Server) AddrPort(defaultPort uint16) netip.AddrPort {
	if m.Flags&FlagPort != 0 {
		defaultPort = m.Port
	}
	return netip.AddrPortFrom(m.IP, defaultPort)
}

// Lookup returns the value of a key in Fields or else in Rules.
func (m Server) Lookup(key string) (value string, ok bool) {
	for _, list := range [...][]KeyValue{m.Fields, m.Rules} {
		for _, kv := range list {
			if kv.Key == key {
				return kv.Value, true
			}
		}
	}
	return "", false
}

const (
	// minServer is the size of the shortest server, and of the end of a list.
	minServer = 5

	// ownText is the index of a text that follows instead of a popular value.
	ownText = math.MaxUint8
)

// endIP is the address that ends a list.
const endIP = "\xff\xff\xff\xff"

// isEnd reports whether b, of at least minServer bytes, is the end of a list.
func isEnd(b []byte) bool { return string(b[1:minServer]) == endIP }

// A form is the context on which the encoding of servers depends.
type form struct {
	keys    []Key
	popular []string // in a list
	inList  bool
	index   map[string]int // of popular, for encoding
}

// indexPopular sets index. It uses the first of duplicates.
func (f *form) indexPopular() {
	f.index = make(map[string]int, len(f.popular))
	for i, text := range slices.Backward(f.popular) {
		f.index[text] = i
	}
}

// decode reads a server. mem holds its texts and fields.
func (m *Server) decode(r *wire.Reader, f *form, mem *arena) {
	var s serverReader
	s.read(r, f, mem)
	*m = s.server
}

// A serverReader reads a server in steps, because the bytes may end anywhere in it.
type serverReader struct {
	server Server
	steps  int // done: first the fields of fixed size, then each of Fields
}

// read reads a server. It returns the end of the last step. If r ends before the server,
// read continues with a Reader of the bytes from there on.
func (s *serverReader) read(r *wire.Reader, f *form, mem *arena) (end int) {
	m := &s.server
	if s.steps == 0 {
		m.decodeFixed(r)
		if r.Failed() {
			return 0
		}
		if m.Flags&FlagFields != 0 && len(f.keys) > 0 {
			m.Fields = mem.pairs(len(f.keys))
		}
		s.steps = 1
	}
	for end = r.Offset(); s.steps <= len(m.Fields); end = r.Offset() {
		i := s.steps - 1
		m.Fields[i] = KeyValue{Key: f.keys[i].Name, Value: decodeField(r, f, i, mem)}
		if r.Failed() {
			return end
		}
		s.steps++
	}
	if m.Flags&FlagRules != 0 {
		end = m.decodeRules(r, f, mem)
	}
	return end
}

func (m *Server) decodeFixed(r *wire.Reader) {
	m.Flags = Flags(r.Uint8("flags"))
	m.IP = r.IPv4("ip")
	if m.Flags&FlagPort != 0 {
		m.Port = r.Uint16("port")
	}
	if m.Flags&FlagPrivateIP != 0 {
		m.PrivateIP = r.IPv4("privateIp")
	}
	if m.Flags&FlagPrivatePort != 0 {
		m.PrivatePort = r.Uint16("privatePort")
	}
	if m.Flags&FlagICMPIP != 0 {
		m.ICMPIP = r.IPv4("icmpIp")
	}
}

// decodeField reads the value of the key with index i.
func decodeField(r *wire.Reader, f *form, i int, mem *arena) string {
	field := "fields"
	if !f.inList {
		r.In("fields", i)
		field = "value"
	}
	switch t := f.keys[i].Type; {
	case t == KeyByte:
		return mem.decimal(uint16(r.Uint8(field)))
	case t == KeyShort:
		return mem.decimal(r.Uint16(field))
	case f.inList:
		return decodeValue(r, field, f.popular, mem)
	}
	return decodeText(r, field, 0, mem)
}

// decodeValue reads the value of a text key in a list.
func decodeValue(r *wire.Reader, field string, popular []string, mem *arena) string {
	if p := r.Peek(); len(p) > 0 && p[0] == ownText {
		return decodeText(r, field, 1, mem)
	}
	at := r.Offset()
	i := int(r.Uint8(field))
	if i >= len(popular) {
		if !r.Failed() {
			r.Refuse(field, at, "no popular value has this index")
		}
		return ""
	}
	return popular[i]
}

// decodeText reads a text that ends with a zero byte. It skips the bytes before it.
func decodeText(r *wire.Reader, field string, before int, mem *arena) string {
	n := bytes.IndexByte(r.Peek()[before:], 0)
	if n < 0 {
		r.Fail(lobbywire.ErrTruncated, field, r.Offset())
		return ""
	}
	return mem.text(r.Decoded(r.ViewWithin(before, n, 1, field)))
}

// decodeRules reads rules and the zero byte after them. It returns the end of that byte or
// of the last rule.
func (m *Server) decodeRules(r *wire.Reader, f *form, mem *arena) (end int) {
	key, value := "rules.key", "rules.value"
	if !f.inList {
		key, value = "key", "value"
	}
	for i := 0; ; i++ {
		end = r.Offset()
		if !f.inList {
			r.In("rules", i)
		}
		if p := r.Peek(); len(p) > 0 && p[0] == 0 {
			break
		}
		kv := KeyValue{Key: decodeText(r, key, 0, mem)}
		kv.Value = decodeText(r, value, 0, mem)
		if r.Failed() {
			return end
		}
		m.Rules = append(m.Rules, kv)
	}
	if !f.inList {
		r.In("", -1)
	}
	r.Skip(1, "rulesEnd")
	return r.Offset()
}

// append appends a server.
func (m *Server) append(w *wire.Writer, f *form) {
	m.appendFixed(w)
	if m.has(w, FlagFields, "fields", len(m.Fields) > 0) {
		m.appendFields(w, f)
	}
	if !m.has(w, FlagRules, "rules", len(m.Rules) > 0) {
		return
	}
	if f.inList && m.Flags&FlagFields != 0 {
		w.Refuse("flags", "a list has fields or rules of a server, not both")
	}
	for _, kv := range m.Rules {
		if kv.Key == "" {
			w.Refuse("rules.key", "is empty")
		}
		w.Text0("rules.key", kv.Key)
		w.Text0("rules.value", kv.Value)
	}
	w.Uint8(0)
}

// has reports whether a flag is set. It fails if the field is set without the flag.
func (m *Server) has(w *wire.Writer, flag Flags, field string, isSet bool) bool {
	if m.Flags&flag == 0 && isSet {
		w.Refuse(field, "its flag is missing")
	}
	return m.Flags&flag != 0
}

func (m *Server) appendFixed(w *wire.Writer) {
	w.Uint8(uint8(m.Flags))
	if m.IP.Is4() && m.IP == netip.AddrFrom4([4]byte([]byte(endIP))) {
		w.Refuse("ip", "ends a list")
	}
	appendIP(w, "ip", m.IP)
	if m.has(w, FlagPort, "port", m.Port != 0) {
		w.Uint16(m.Port)
	}
	if m.has(w, FlagPrivateIP, "privateIp", m.PrivateIP.IsValid()) {
		appendIP(w, "privateIp", m.PrivateIP)
	}
	if m.has(w, FlagPrivatePort, "privatePort", m.PrivatePort != 0) {
		w.Uint16(m.PrivatePort)
	}
	if m.has(w, FlagICMPIP, "icmpIp", m.ICMPIP.IsValid()) {
		appendIP(w, "icmpIp", m.ICMPIP)
	}
}

func (m *Server) appendFields(w *wire.Writer, f *form) {
	if len(m.Fields) != len(f.keys) {
		w.Refuse("fields", "there are "+strconv.Itoa(len(m.Fields))+", and "+strconv.Itoa(len(f.keys))+" keys")
		return
	}
	for i, k := range f.keys {
		kv := &m.Fields[i]
		if kv.Key != k.Name {
			w.Refuse("fields", "field "+strconv.Itoa(i)+" has another key than the list")
			return
		}
		switch k.Type {
		case KeyText:
			if f.inList {
				if n, ok := f.index[kv.Value]; ok {
					w.Uint8(uint8(n))
					continue
				}
				w.Uint8(ownText)
			}
			w.Text0("fields", kv.Value)
		case KeyByte:
			w.Uint8(uint8(number(w, kv.Value, 8)))
		case KeyShort:
			w.Uint16(uint16(number(w, kv.Value, 16)))
		default:
			w.Fail(wire.Unsupported("has a key of unknown type"), "fields")
		}
	}
}

// number parses the value of a field as a decimal number without leading zeros.
func number(w *wire.Writer, text string, size int) uint64 {
	n, err := strconv.ParseUint(text, 10, size)
	if err != nil || text[0] == '0' && len(text) > 1 {
		w.Refuse("fields", "is not a number of up to "+strconv.Itoa(1<<size-1))
	}
	return n
}
