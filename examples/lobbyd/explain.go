package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// An explanation describes the servers and games of an address.
type explanation struct {
	Address  string    `json:"address"`
	Port     uint16    `json:"port,omitempty"` // servers at other ports are left out
	Bans     []rule    `json:"bans,omitempty"`
	Servers  []found   `json:"servers,omitempty"`
	Left     []left    `json:"left,omitempty"`
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

// A left is a server or game of an address that is no longer registered.
type left struct {
	ID      string    `json:"id"`
	Address string    `json:"address,omitempty"`
	Name    string    `json:"name"`
	Port    uint16    `json:"port,omitempty"`
	Until   time.Time `json:"until"`
	Why     string    `json:"why"`
}

// explain returns what lobbyd knows about an address or, unless its port is 0, about the servers at
// the port if there are any. For the public, it does not name the games at addresses that only
// their players may know.
func (l *lists) explain(at netip.AddrPort, isPublic bool) explanation {
	addr, port := at.Addr().Unmap().WithZone(""), at.Port()
	x := l.explainPort(addr, port, isPublic)
	if port == 0 || !x.isEmpty() {
		return x
	}
	x = l.explainPort(addr, 0, isPublic)
	if !x.isEmpty() {
		x.Summary = fmt.Sprintf("Nothing is known of port %d, but of the address: %s", port, x.Summary)
	}
	return x
}

func (x *explanation) isEmpty() bool { return len(x.Servers)+len(x.Left)+len(x.Refusals) == 0 }

// explainPort is explain for a port, or for all ports if it is 0.
func (l *lists) explainPort(addr netip.Addr, port uint16, isPublic bool) explanation {
	x := explanation{Address: addr.String(), Port: port, Bans: l.rules.of(addr)}
	var known, secret []refusals.Departure // servers that are or were registered
	note := func(d refusals.Departure) (shown bool) {
		shown = !isPublic || d.Entry.Address != ""
		if shown {
			known = append(known, d)
		} else {
			secret = append(secret, d)
		}
		return shown && (port == 0 || slices.Contains(portsOf(d.Entry), port))
	}
	for _, e := range l.catalogue.Snapshot().Entries {
		if e.At.Addr().Unmap() != addr || !note(refusals.Departure{Entry: e, Heard: e.Seen}) {
			continue
		}
		one := foundOf(e)
		if isPublic {
			one.Hidden = e.Quarantine
		}
		x.Servers = append(x.Servers, one)
	}
	registered := len(known)
	for _, d := range l.refusals.LeftFrom(addr) {
		isBack := slices.ContainsFunc(known[:registered], func(r refusals.Departure) bool {
			return r.Entry.Family == d.Entry.Family && r.Entry.At == d.Entry.At
		})
		if !isBack && note(d) {
			x.Left = append(x.Left, leftOf(d))
		}
	}
	for _, r := range l.refusals.From(addr) {
		ends := func(d refusals.Departure) bool {
			heard := d.Heard
			if d.Until.IsZero() && r.Reason.Pending() { // the entry may be older than its server
				heard = heard.Add(health.SeenEvery)
			}
			return r.IsOver(d.Entry, heard)
		}
		one := l.refusedOf(r)
		one.Over = slices.ContainsFunc(known, ends)
		isElsewhere := port != 0 && r.From.Port() != 0 && r.From.Port() != port && r.Source != port
		if isElsewhere || one.Over && r.Reason.Pending() || slices.ContainsFunc(secret, ends) {
			continue
		}
		x.Refusals = append(x.Refusals, one)
	}
	missed, since := l.refusals.Missed()
	x.Summary = x.summary(missed, since)
	if others := registered - len(x.Servers); port != 0 && others > 0 {
		x.Summary += fmt.Sprintf(" Registered at other ports of the address: %d.", others)
	}
	if isPublic && x.isEmpty() {
		x.Summary += " Only operators see games of Warzone 4.7."
	}
	x.Summary += l.dockerHint(addr, &x)
	return x
}

// portsOf returns all ports of a server that people may give: of its host, for queries and for
// players.
func portsOf(e *catalogue.Entry) []uint16 {
	ports := []uint16{e.At.Port(), e.Query.Port()}
	if at, err := netip.ParseAddrPort(e.Address); err == nil {
		ports = append(ports, at.Port())
	}
	return slices.DeleteFunc(ports, func(p uint16) bool { return p == 0 })
}

// foundOf returns a server as operators see it.
func foundOf(e *catalogue.Entry) found {
	return found{ID: e.ID, Address: e.Address, Name: web.PlainName(e), Reach: e.Reach,
		Hidden: e.HiddenBy(), Local: e.Local}
}

func leftOf(d refusals.Departure) left {
	e := d.Entry
	return left{ID: e.ID, Address: e.Address, Name: web.PlainName(e), Port: e.At.Port(),
		Until: d.Until.UTC().Truncate(time.Second), Why: d.Why}
}

// refusedOf returns a refusal with advice for now.
func (l *lists) refusedOf(r refusals.Refusal) refused {
	text := r.Text
	for _, hint := range []string{l.gamesHint(r), againHint(r, time.Now())} {
		if hint != "" {
			text += "; " + hint
		}
	}
	return refused{Time: r.Last.UTC().Truncate(time.Second), Server: r.Server, Port: r.From.Port(),
		Reason: r.Reason.String(), Text: text, Count: r.Count}
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func (f *fronts) adminExplain(r *http.Request) (any, error) {
	at, err := web.ParseHost(r.URL.Query().Get("address"))
	if err != nil {
		return nil, err
	}
	return f.lists.explain(at, false), nil
}

// summary returns the most likely reason why a server is not listed now. missed is the number of
// refusals that are not remembered.
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
	what := "Not listed"
	if len(x.Servers) > 0 {
		what = "Besides them, something is not listed" // perhaps no server
	}
	if i := slices.IndexFunc(x.Refusals, func(r refused) bool { return !r.Over }); i >= 0 {
		r := x.Refusals[i]
		all = append(all, fmt.Sprintf("%s, at %s at the server %s: %s.", what, clock(r.Time), r.Server, r.Text))
	}
	if len(all) == 0 && len(x.Left) > 0 {
		of := x.Left[0]
		at := ""
		if of.Port != 0 {
			at = fmt.Sprintf(" at port %d", of.Port)
		}
		all = append(all, fmt.Sprintf("A server%s was listed until %s: %s.", at, clock(of.Until), of.Why))
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
