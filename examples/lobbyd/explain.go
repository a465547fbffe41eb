package main

import (
	"net/http"
	"net/netip"
	"time"

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
}

// A refused is one or several refusals with the same reason.
type refused struct {
	Time   time.Time `json:"time"` // of the last one
	Server string    `json:"server"`
	Port   uint16    `json:"port,omitempty"`
	Reason string    `json:"reason"`
	Text   string    `json:"text"`
	Count  int       `json:"count"`
}

// explain returns what lobbyd knows of an address. For the public, it does not name the
// games at addresses that only their players may know.
func (d *lobbyd) explain(addr netip.Addr, isPublic bool) explanation {
	addr = addr.Unmap().WithZone("")
	x := explanation{Address: addr.String(), Bans: d.rules.of(addr)}
	hidden := 0
	for _, e := range d.catalogue.Snapshot().Entries {
		if e.At.Addr().Unmap() != addr || isPublic && e.Address == "" {
			continue
		}
		x.Servers = append(x.Servers, foundOf(e))
		if e.Quarantine != "" {
			hidden++
		}
	}
	for _, r := range d.refusals.From(addr) {
		x.Refusals = append(x.Refusals, refusedOf(r))
	}
	x.Summary = x.summary(hidden)
	return x
}

func foundOf(e *catalogue.Entry) found {
	return found{ID: e.ID, Address: e.Address, Name: web.Visible(e.Name), Reach: e.Reach, Hidden: e.Quarantine}
}

func refusedOf(r refusals.Refusal) refused {
	return refused{r.Last.UTC().Truncate(time.Second), r.Server, r.From.Port(), r.Reason.String(), r.Text, r.Count}
}

// summary returns the most likely answer to why a server is not listed.
func (x *explanation) summary(hidden int) string {
	switch {
	case len(x.Bans) > 0:
		return "The address is banned: all that it sends is dropped."
	case hidden > 0:
		return "Servers of the address are registered and hidden."
	case len(x.Refusals) > 0:
		return "The last refusal: " + x.Refusals[0].Text + "."
	case len(x.Servers) > 0:
		return "Servers of the address are listed."
	}
	return "Nothing has arrived from the address lately that lobbyd refused: check the address of the lobby in the " +
		"settings of the server, and firewalls on the way."
}

func (d *lobbyd) adminExplain(r *http.Request) (any, error) {
	addr, err := web.ParseHost(r.URL.Query().Get("address"))
	if err != nil {
		return nil, err
	}
	return d.explain(addr, false), nil
}
