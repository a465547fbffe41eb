package main

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A banRequest is a ban of a prefix, a pattern or a server, or the mark of an official server.
type banRequest struct {
	Prefix   string   `json:"prefix,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`
	Server   string   `json:"server,omitempty"`
	Official string   `json:"official,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Note     string   `json:"note,omitempty"`    // only operators may read it
	For      duration `json:"for,omitempty"`     // 0 is without an end
	Yes      bool     `json:"yes,omitempty"`     // the operator has confirmed it
	DryRun   bool     `json:"dry-run,omitempty"` // only show what it would do
}

// record returns the ban.
func (q banRequest) record(now time.Time) (r ban.Record, err error) {
	for kind, value := range map[ban.Kind]string{
		ban.KindPrefix: q.Prefix, ban.KindPattern: q.Pattern, ban.KindServer: q.Server, ban.KindOfficial: q.Official,
	} {
		if value == "" {
			continue
		}
		if r.Kind != "" {
			return r, errOneBan
		}
		r = ban.Record{Kind: kind, Value: value, Reason: q.Reason, Note: q.Note}
	}
	if r.Kind == "" {
		return r, errOneBan
	}
	if q.For > 0 {
		r.Until = now.Add(time.Duration(q.For)).UTC().Truncate(time.Second)
	}
	return r.Check()
}

var errOneBan = errors.New("give either a prefix, a pattern, a server or an official server")

func (f *fronts) adminBan(r *http.Request) (any, error) {
	var q banRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	one, err := q.record(time.Now())
	if err != nil {
		return nil, err
	}
	effect := f.lists.effectOf(r, one)
	switch {
	case q.DryRun:
		return effect, nil
	case len(effect.Asks) > 0 && !q.Yes:
		return nil, &confirmError{effect.Asks}
	}
	failed := f.rules.give(one)
	if failed != nil && !errors.Is(failed, ban.ErrNotSaved) {
		return nil, failed
	}
	log := f.log.With("by", "admin", "kind", one.Kind, "value", one.Value, "reason", one.Reason)
	if !one.Until.IsZero() {
		log = log.With("until", one.Until)
	}
	if one.Kind == ban.KindOfficial {
		log.Info("marked as official")
	} else {
		log.Info("banned")
	}
	return ruleOf(one), failed
}

func (f *fronts) adminUnban(r *http.Request) (any, error) {
	var q banRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	one, err := q.record(time.Now())
	if err == nil {
		err = f.rules.checkGiven(one)
	}
	if err != nil {
		return nil, err
	}
	one.Ended = true
	failed := f.rules.give(one)
	if failed != nil && !errors.Is(failed, ban.ErrNotSaved) {
		return nil, failed
	}
	what := "no longer banned"
	if one.Kind == ban.KindOfficial {
		what = "no longer marked as official"
	}
	f.log.Info(what, "by", "admin", "kind", one.Kind, "value", one.Value)
	return ruleOf(one), failed
}

// A place is a server or game as operators see it.
type place struct {
	found
	Family string `json:"family"`
	At     string `json:"at"` // address and port of its host, for hide
	Node   string `json:"node,omitempty"`
}

func placeOf(e *catalogue.Entry) place {
	return place{foundOf(e), string(e.Family), e.At.String(), e.Node}
}

// adminList returns the servers whose name, ID or address has a text.
func (f *fronts) adminList(r *http.Request) (any, error) {
	text := strings.ToLower(r.URL.Query().Get("q"))
	list := []place{} // never null in JSON
	for _, e := range f.lists.catalogue.Snapshot().Entries {
		p := placeOf(e)
		if strings.Contains(strings.ToLower(p.ID+"\n"+p.Name+"\n"+p.Address+"\n"+p.At), text) {
			list = append(list, p)
		}
	}
	return list, nil
}
