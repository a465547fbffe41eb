package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// An explanation is what lobbyd knows of the servers and games of an address.
type explanation struct {
	Address  string    `json:"address"`
	Bans     []rule    `json:"bans,omitempty"`
	Servers  []found   `json:"servers,omitempty"`
	Refusals []refused `json:"refusals,omitempty"`
	Summary  string    `json:"summary"`
}

// A found is a server or game of an address that is listed or hidden.
type found struct {
	ID      string          `json:"id"`
	Address string          `json:"address,omitempty"`
	Name    string          `json:"name"`
	Reach   catalogue.Reach `json:"reach"`
	Hidden  string          `json:"hidden,omitempty"` // why it is in no list
	Local   bool            `json:"local,omitempty"`  // players elsewhere cannot use the address
}

// A refused is one or several refusals with the same reason. While a server is pending, the
// reason is "challenge", "query" or "incomplete".
type refused struct {
	Time   time.Time `json:"time"` // of the last one
	Server string    `json:"server"`
	Port   uint16    `json:"port,omitempty"`
	Reason string    `json:"reason"`
	Text   string    `json:"text"`
	Count  int       `json:"count"`
	Over   bool      `json:"over,omitempty"` // the server has registered since
}

// explain returns what lobbyd knows of an address. For the public, it does not name the
// games at addresses that only their players may know.
func (l *lists) explain(addr netip.Addr, isPublic bool) explanation {
	addr = addr.Unmap().WithZone("")
	x := explanation{Address: addr.String(), Bans: l.rules.of(addr)}
	var registered, secret []*catalogue.Entry
	for _, e := range l.catalogue.Snapshot().Entries {
		if e.At.Addr().Unmap() != addr {
			continue
		}
		if isPublic && e.Address == "" {
			secret = append(secret, e)
			continue
		}
		registered = append(registered, e)
		one := foundOf(e)
		if isPublic {
			one.Hidden = e.Quarantine
		}
		x.Servers = append(x.Servers, one)
	}
	for _, r := range l.refusals.From(addr) {
		one, ends := refusedOf(r), func(e *catalogue.Entry) bool { return isOver(r, e) }
		one.Over = slices.ContainsFunc(registered, ends)
		if one.Over && r.Reason.Pending() || slices.ContainsFunc(secret, ends) {
			continue
		}
		x.Refusals = append(x.Refusals, one)
	}
	missed, since := l.refusals.Missed()
	x.Summary = x.summary(missed, since)
	if isPublic && len(x.Servers)+len(x.Refusals) == 0 {
		x.Summary += " Only operators see games of Warzone 4.7."
	}
	return x
}

// isOver reports whether a server that is registered is the one of a refusal, and has been heard
// since. A NAT may have changed the port that the server has named; it is then listed at the source
// of its heartbeats. A refusal without a port is about any server of the host. That of a proxy is
// never over: servers are listed at the address of the proxy.
func isOver(r refusals.Refusal, e *catalogue.Entry) bool {
	at := e.At
	if e.Query.IsValid() {
		at = e.Query
	}
	isServer := r.From.Port() == 0 || r.From.Port() == at.Port() || r.Source != 0 && r.Source == at.Port()
	return r.Reason != lobbywire.ReasonProxy && familyOf(r.Server) == e.Family && isServer && !e.Seen.Before(r.Last)
}

// familyOf returns the family of a server of lobbyd.
func familyOf(server string) catalogue.Family {
	switch server {
	case "gameagent":
		return catalogue.GameAgent
	case "gamespy":
		return catalogue.GameSpy
	case "bomberman":
		return catalogue.Bomberman
	}
	return catalogue.Warzone
}

// foundOf returns a server as operators see it.
func foundOf(e *catalogue.Entry) found {
	return found{ID: e.ID, Address: e.Address, Name: web.PlainName(e), Reach: e.Reach, Hidden: e.HiddenBy(), Local: e.Local}
}

func refusedOf(r refusals.Refusal) refused {
	return refused{Time: r.Last.UTC().Truncate(time.Second), Server: r.Server, Port: r.From.Port(),
		Reason: r.Reason.String(), Text: r.Text, Count: r.Count}
}

// summary returns the most likely answer to why a server is not listed, as it is now. The number
// of refusals that are not remembered is missed.
func (x *explanation) summary(missed uint64, since time.Time) string {
	if len(x.Bans) > 0 {
		return "The address is banned: all that it sends is dropped."
	}
	var all []string
	if i := slices.IndexFunc(x.Servers, func(s found) bool { return s.Hidden != "" }); i >= 0 {
		all = append(all, "Servers of the address are registered and hidden: "+x.Servers[i].Hidden+".")
	}
	if slices.ContainsFunc(x.Servers, func(s found) bool { return s.Hidden == "" }) {
		all = append(all, "Servers of the address are listed.")
	}
	if i := slices.IndexFunc(x.Refusals, func(r refused) bool { return !r.Over }); i >= 0 {
		r := x.Refusals[i]
		all = append(all, fmt.Sprintf("Not listed, at %s at the server %s: %s.", clock(r.Time), r.Server, r.Text))
	}
	if slices.ContainsFunc(x.Servers, func(s found) bool { return s.Local }) {
		all = append(all, "Players elsewhere cannot use an address of this machine or a private network: -map lists a "+
			"public one in its place.")
	}
	if len(all) > 0 {
		return strings.Join(all, " ")
	}
	text := "Nothing is known of the address lately: check the address and the port of the lobby in the settings of the " +
		"server, and firewalls on the way."
	if missed > 0 {
		text += fmt.Sprintf(" But since %s more has arrived than lobbyd can remember: %d heartbeats and requests are only "+
			"counted.", clock(since), missed)
	}
	return text
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func (f *fronts) adminExplain(r *http.Request) (any, error) {
	addr, err := web.ParseHost(r.URL.Query().Get("address"))
	if err != nil {
		return nil, err
	}
	return f.lists.explain(addr, false), nil
}
