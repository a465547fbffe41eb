package main

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
)

// rules are the bans: the bans of the file, which a reload replaces, and the bans that
// operators give while lobbyd runs. The gate enforces them at sockets, and the judge in
// lists.
type rules struct {
	*life
	given ban.Ledger
	gate  ban.Gate
	judge health.Judge
	node  atomic.Pointer[cluster.Cluster] // shares given bans; nil without a cluster
	saved *data.Lists                     // saves changes again that given could not; nil without a data directory

	mu   sync.Mutex
	file bansConfig

	enforcing sync.Mutex
	nextEnd   *time.Timer // enforces the rules when a ban ends; guarded by enforcing
}

func newRules(of *life) *rules {
	r := &rules{life: of}
	r.setFile(of.config.Bans)
	return r
}

// A rule is one ban, in readable form.
type rule struct {
	Prefix   string    `json:"prefix,omitempty"`
	Pattern  string    `json:"pattern,omitempty"`
	Server   string    `json:"server,omitempty"`
	Official string    `json:"official,omitempty"` // a mark
	Reason   string    `json:"reason,omitempty"`
	Note     string    `json:"note,omitempty"` // only for operators
	Until    time.Time `json:"until,omitzero"`
	From     string    `json:"from"` // "file" or "admin"
	Ended    bool      `json:"ended,omitempty"`
}

// ruleOf returns a ban that an operator has given or ended.
func ruleOf(one ban.Record) rule {
	x := rule{Reason: one.Reason, Note: one.Note, Until: one.Until, From: "admin", Ended: one.Ended}
	switch one.Kind {
	case ban.KindPrefix:
		x.Prefix = one.Value
	case ban.KindPattern:
		x.Pattern = one.Value
	case ban.KindServer:
		x.Server = one.Value
	case ban.KindOfficial:
		x.Official = one.Value
	}
	return x
}

// setFile replaces the rules of the file.
func (r *rules) setFile(of bansConfig) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file = of
}

// fromFile returns the rules of the file. They must not be changed.
func (r *rules) fromFile() bansConfig {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.file
}

// enforce applies the rules. The watcher applies them to listed servers when it next
// looks. After several concurrent calls, all rules are in force.
func (r *rules) enforce() {
	r.enforcing.Lock()
	defer r.enforcing.Unlock()
	bans := r.all()
	r.judge.SetRules(bans.forJudge())
	if err := r.gate.Set(bans.Prefixes); err != nil {
		r.log.Warn("not all bans hold for datagrams", "error", err)
	}
	if r.nextEnd != nil {
		r.nextEnd.Stop()
		r.nextEnd = nil
	}
	if !bans.next.IsZero() {
		r.nextEnd = time.AfterFunc(time.Until(bans.next), r.enforce)
	}
}

// checkGiven returns an error unless an operator has given a ban, which is still in force.
func (r *rules) checkGiven(one ban.Record) error {
	active, _ := r.given.Active(time.Now())
	if slices.ContainsFunc(active, func(a ban.Record) bool { return a.ID() == one.ID() }) {
		return nil
	}
	for _, of := range r.fromFile().list() {
		if of.Prefix+of.Pattern == one.Value {
			return fmt.Errorf("%q is in the file or the command line: take it out there, and reload", one.Value)
		}
	}
	if one.Kind == ban.KindOfficial {
		return fmt.Errorf("%q is not marked", one.Value)
	}
	return fmt.Errorf("%q is not banned", one.Value)
}

// Rules in force.
type inForce struct {
	bansConfig
	hidden   map[netip.AddrPort]string // servers, with the reasons
	reasons  map[*regexp.Regexp]string // of patterns
	official map[netip.AddrPort]bool
	next     time.Time // when the first of them ends; zero if none does
}

// all returns all rules that are in force.
func (r *rules) all() inForce {
	all := inForce{
		bansConfig: r.fromFile(), hidden: make(map[netip.AddrPort]string), reasons: make(map[*regexp.Regexp]string),
		official: make(map[netip.AddrPort]bool),
	}
	all.Prefixes, all.Patterns = slices.Clone(all.Prefixes), slices.Clone(all.Patterns)
	active, next := r.given.Active(time.Now())
	all.next = next
	for _, one := range active { // Check has accepted them
		switch one.Kind {
		case ban.KindPrefix:
			p, _ := ban.ParsePrefix(one.Value)
			all.Prefixes = append(all.Prefixes, p)
		case ban.KindPattern:
			p := pattern{regexp.MustCompile(one.Value)}
			all.Patterns = append(all.Patterns, p)
			all.reasons[p.Regexp] = one.Reason
		case ban.KindServer:
			all.hidden[netip.MustParseAddrPort(one.Value)] = one.Reason
		case ban.KindOfficial:
			all.official[netip.MustParseAddrPort(one.Value)] = true
		}
	}
	return all
}

// forJudge returns the rules in the form of a Judge.
func (of inForce) forJudge() health.Rules {
	rules := health.Rules{
		Banned:   ban.NewSet(of.Prefixes),
		Reasons:  of.reasons,
		Hidden:   of.hidden,
		Official: of.official,
		SameName: int(of.SameName), MaxPlayers: int(of.MaxPlayers),
		Unstarted: time.Duration(of.Unstarted),
	}
	for _, p := range of.Patterns {
		rules.Patterns = append(rules.Patterns, p.Regexp)
	}
	return rules
}

// of returns the rules that ban an address, without notes: everybody may read them.
func (r *rules) of(addr netip.Addr) (all []rule) {
	for _, one := range r.list() {
		if p, err := ban.ParsePrefix(one.Prefix); err == nil && p.Contains(addr) {
			one.Note = ""
			all = append(all, one)
		}
	}
	return all
}

func (of bansConfig) list() []rule {
	list := []rule{} // never null in JSON
	for _, p := range of.Prefixes {
		list = append(list, rule{Prefix: p.String(), From: "file"})
	}
	for _, p := range of.Patterns {
		list = append(list, rule{Pattern: p.String(), From: "file"})
	}
	return list
}

// list returns all rules that are in force, for operators.
func (r *rules) list() []rule {
	list := r.fromFile().list()
	active, _ := r.given.Active(time.Now())
	for _, one := range active {
		list = append(list, ruleOf(one))
	}
	return list
}
