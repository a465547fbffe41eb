package gamespy2net

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A listing is a server in the list of a game. It is immutable: if the server
// changes, a new listing replaces it.
type listing struct {
	owner   int            // the number of the server in the Master
	addr    netip.AddrPort // public address of the query port, as lists have it
	private netip.AddrPort // local address; not valid if there is none, or if it is addr
	natneg  bool           // clients reach the server by NAT negotiation

	// The server answers only queries with a challenge, which clients do not send.
	needsChallenge bool

	info            listedKeys // that clients see
	country, region string     // of addr; "" if unknown
	heartbeat       string     // the last one in its wire form
}

// Keys that the master adds to info.
const (
	countryKey = "country"
	regionKey  = "region"
)

// size returns about how many bytes the listing needs.
func (l *listing) size() int {
	const fixed = 256
	return fixed + len(l.info.text) + 2*cap(l.info.ends) + len(l.heartbeat)
}

// isSame reports whether clients see no difference between two listings.
func (l *listing) isSame(other *listing) bool {
	return l.private == other.private && l.natneg == other.natneg && l.needsChallenge == other.needsChallenge &&
		l.info.text == other.info.text && slices.Equal(l.info.ends, other.info.ends)
}

// lookup returns the value of a key that clients see.
func (l *listing) lookup(key string) (value string, ok bool) {
	switch {
	case key == countryKey && l.country != "":
		return l.country, true
	case key == regionKey && l.region != "":
		return l.region, true
	}
	return l.info.lookup(key)
}

// defaultPort is the query port of servers for which a list has none. It is the
// default port of the GameSpy SDK.
const defaultPort = 6500

// hasFields reports whether a list has the fields of the server: clients may not be able
// to query one that uses NAT negotiation or needs a challenge.
func (l *listing) hasFields(all bool) bool { return all || l.natneg || l.needsChallenge }

// server returns the server as in a list. It uses the memory of fields.
func (l *listing) server(keys []sb2.Key, all bool, fields []sb2.KeyValue) sb2.Server {
	s := sb2.Server{Flags: sb2.FlagUnsolicitedUDP, IP: l.addr.Addr()}
	if l.natneg {
		s.Flags |= sb2.FlagNATNegotiation
	}
	if l.addr.Port() != defaultPort {
		s.Flags |= sb2.FlagPort
		s.Port = l.addr.Port()
	}
	if l.private.IsValid() {
		s.Flags |= sb2.FlagPrivateIP
		s.PrivateIP = l.private.Addr()
		if l.private.Port() != defaultPort {
			s.Flags |= sb2.FlagPrivatePort
			s.PrivatePort = l.private.Port()
		}
	}
	if len(keys) > 0 && l.hasFields(all) {
		s.Flags |= sb2.FlagFields
		for i, key := range keys {
			value, _ := l.lookup(key.Name)
			fields[i] = sb2.KeyValue{Key: key.Name, Value: value}
		}
		s.Fields = fields
	}
	return s
}

// rules returns the server with all its keys. Keys of players and teams end in their
// numbers, such as player_0. They are parsed for each call, because few clients request
// them and they would need most of the memory.
func (l *listing) rules() sb2.Server {
	s := l.server(nil, false, nil)
	s.Flags |= sb2.FlagRules
	s.Rules = l.info.appendTo(nil)
	for _, kv := range []sb2.KeyValue{{Key: countryKey, Value: l.country}, {Key: regionKey, Value: l.region}} {
		if kv.Value != "" {
			s.Rules = append(s.Rules, kv)
		}
	}
	heartbeat, _ := qr2.ParseHeartbeat([]byte(l.heartbeat)) // cannot fail: it has been parsed before
	for _, t := range []*gamespy2.Table{heartbeat.Players, heartbeat.Teams} {
		if t == nil {
			continue
		}
		for i, values := range t.Rows {
			for column, value := range values {
				s.Rules = append(s.Rules, sb2.KeyValue{Key: t.Columns[column] + strconv.Itoa(i), Value: value})
			}
		}
	}
	return s
}
