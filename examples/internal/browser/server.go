package browser

import (
	"cmp"
	"net"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
)

// maxTrips is how many round trips the graph of a server shows.
const maxTrips = 60

// A Key identifies a server.
type Key struct {
	Protocol string // such as "sqp"
	Form     string // "legacy" if the server is queried in the older form of two
	Address  string // or the ID of an [Entry] without an address
}

// String returns the protocol, the address and the form, as in a file of favourites.
func (k Key) String() string {
	return strings.TrimSpace(k.Protocol + " " + k.Address + " " + k.Form)
}

func (k Key) compare(other Key) int {
	return cmp.Or(strings.Compare(k.Protocol, other.Protocol), strings.Compare(k.Address, other.Address),
		strings.Compare(k.Form, other.Form))
}

// A server is a row of the table. Its texts are safe for the terminal.
type server struct {
	Key
	view  lobbywire.View
	err   error
	trips []time.Duration // round trips, the last one last; 0 is a query without an answer
	join  string          // address where players join, "" if it is unknown
	round int             // the last fetch that has found it
}

// update updates the server from a fetch. If the server does not answer, the last known
// values stay.
func (s *server) update(e Entry, clean func(string) string) {
	s.err = e.Err
	if e.RTT > 0 || e.Err != nil {
		s.trips = append(s.trips, e.RTT)
		s.trips = s.trips[max(len(s.trips)-maxTrips, 0):]
	}
	if e.Err != nil {
		return
	}
	host, _, err := net.SplitHostPort(e.Address)
	if err != nil {
		host = "" // there is no address
	}
	s.join = clean(e.View.Address(host))
	s.view = cleaned(e.View, clean)
}

// cleaned returns v with texts that are safe for the terminal.
func cleaned(v lobbywire.View, clean func(string) string) lobbywire.View {
	for _, text := range []*string{&v.Name, &v.Game, &v.Map, &v.Mode, &v.Version} {
		*text = clean(*text)
	}
	v.Mods = append([]string(nil), v.Mods...)
	for i := range v.Mods {
		v.Mods[i] = clean(v.Mods[i])
	}
	v.Roster = append([]lobbywire.Player(nil), v.Roster...)
	for i := range v.Roster {
		p := &v.Roster[i]
		p.Name, p.Team = clean(p.Name), clean(p.Team)
	}
	v.Teams = append([]lobbywire.Team(nil), v.Teams...)
	for i := range v.Teams {
		v.Teams[i].Name = clean(v.Teams[i].Name)
	}
	v.Rules = append([]lobbywire.Rule(nil), v.Rules...)
	for i := range v.Rules {
		r := &v.Rules[i]
		r.Key, r.Value = clean(r.Key), clean(r.Value)
	}
	return v
}

// protocolAndAddress describes how the server is queried.
func (s *server) protocolAndAddress() string {
	return strings.TrimSpace(s.Protocol+" "+s.Form) + ", " + s.Address
}

// rtt returns the last round trip, 0 if the server was not queried or has not
// answered.
func (s *server) rtt() time.Duration {
	if len(s.trips) == 0 {
		return 0
	}
	return s.trips[len(s.trips)-1]
}

// players returns the number of players, or -1 if it is unknown.
func (s *server) players() int {
	if s.view.Players == nil {
		return -1
	}
	return *s.view.Players
}

// matches reports whether the texts of a server have all words, in any case.
func (s *server) matches(words []string) bool {
	if len(words) == 0 {
		return true
	}
	texts := strings.ToLower(strings.Join([]string{
		s.view.Name, s.view.Map, s.view.Mode, s.view.Game, s.view.Version, s.Protocol, s.Form, s.Address, s.join,
	}, "\n"))
	for _, w := range words {
		if !strings.Contains(texts, w) {
			return false
		}
	}
	return true
}
