package gamelist

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A Listing is a server in the list of a game. It is immutable: if the server
// changes, a new listing replaces it.
type Listing struct {
	Owner          int            // the number of the server in the Master
	Addr           netip.AddrPort // public address of the query port, for lists
	Private        netip.AddrPort // local address; not valid if there is none, or if it is Addr
	NATNegotiation bool           // clients reach the server by NAT negotiation

	// The server answers only queries with a challenge, which clients do not send.
	NeedsChallenge bool

	Info            Keys   // that clients see
	Country, Region string // of Addr; "" if unknown
	Heartbeat       string // the last one in its wire form
}

// Keys that the master adds to Info.
const (
	countryKey = "country"
	regionKey  = "region"
)

// size returns the approximate number of bytes of the listing.
func (l *Listing) size() int {
	const fixed = 256
	return fixed + len(l.Info.text) + 2*cap(l.Info.ends) + len(l.Heartbeat)
}

// isSame reports whether clients see no difference between two listings.
func (l *Listing) isSame(other *Listing) bool {
	return l.Private == other.Private && l.NATNegotiation == other.NATNegotiation &&
		l.NeedsChallenge == other.NeedsChallenge && l.Info.text == other.Info.text &&
		slices.Equal(l.Info.ends, other.Info.ends)
}

// Lookup returns the value of a key that clients see.
func (l *Listing) Lookup(key string) (value string, ok bool) {
	switch {
	case key == countryKey && l.Country != "":
		return l.Country, true
	case key == regionKey && l.Region != "":
		return l.Region, true
	}
	return l.Info.Lookup(key)
}

// DefaultPort is the query port of servers whose entry contains no port. It is the default
// port of the GameSpy SDK.
const DefaultPort = 6500

// hasFields reports whether lists contain the fields of the server, because clients may be
// unable to query it: it uses NAT negotiation or needs a challenge.
func (l *Listing) hasFields(all bool) bool { return all || l.NATNegotiation || l.NeedsChallenge }

// Server returns the server in the form of a list. It uses the memory of fields.
func (l *Listing) Server(keys []sb2.Key, all bool, fields []sb2.KeyValue) sb2.Server {
	s := sb2.Server{Flags: sb2.FlagUnsolicitedUDP, IP: l.Addr.Addr()}
	if l.NATNegotiation {
		s.Flags |= sb2.FlagNATNegotiation
	}
	if l.Addr.Port() != DefaultPort {
		s.Flags |= sb2.FlagPort
		s.Port = l.Addr.Port()
	}
	if l.Private.IsValid() {
		s.Flags |= sb2.FlagPrivateIP
		s.PrivateIP = l.Private.Addr()
		if l.Private.Port() != DefaultPort {
			s.Flags |= sb2.FlagPrivatePort
			s.PrivatePort = l.Private.Port()
		}
	}
	if len(keys) > 0 && l.hasFields(all) {
		s.Flags |= sb2.FlagFields
		for i, key := range keys {
			value, _ := l.Lookup(key.Name)
			fields[i] = sb2.KeyValue{Key: key.Name, Value: value}
		}
		s.Fields = fields
	}
	return s
}

// Rules returns the server with all its keys. Keys of players and teams end in their
// numbers, such as player_0. They are parsed for each call, because few clients request
// them and they would need most of the memory.
func (l *Listing) Rules() sb2.Server {
	s := l.Server(nil, false, nil)
	s.Flags |= sb2.FlagRules
	s.Rules = l.Info.AppendTo(nil)
	for _, kv := range []sb2.KeyValue{{Key: countryKey, Value: l.Country}, {Key: regionKey, Value: l.Region}} {
		if kv.Value != "" {
			s.Rules = append(s.Rules, kv)
		}
	}
	heartbeat, _ := qr2.ParseHeartbeat([]byte(l.Heartbeat)) // cannot fail: it has been parsed before
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
