package main

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
)

// rules are the bans: those of the file, and those that operators add while lobbyd
// runs. A reload keeps the latter; a restart drops them.
type rules struct {
	mu    sync.Mutex
	file  bansConfig
	given bansConfig
}

// A rule is one ban, in readable form.
type rule struct {
	Prefix  string `json:"prefix,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	From    string `json:"from"` // "file" or "admin"
}

// setFile replaces the rules of the file.
func (r *rules) setFile(of bansConfig) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file = of
}

func (r *rules) add(of bansConfig) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.given = bansConfig{
		Prefixes: slices.Concat(r.given.Prefixes, of.Prefixes),
		Patterns: slices.Concat(r.given.Patterns, of.Patterns),
	}
}

// remove removes rules that were added. It fails and changes nothing if one does not
// exist.
func (r *rules) remove(of bansConfig) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	prefixes, patterns := slices.Clone(r.given.Prefixes), slices.Clone(r.given.Patterns)
	for _, p := range of.Prefixes {
		before := len(prefixes)
		prefixes = slices.DeleteFunc(prefixes, func(q ban.Prefix) bool { return q == p })
		if len(prefixes) == before {
			return notGiven(p.String(), slices.Contains(r.file.Prefixes, p))
		}
	}
	for _, p := range of.Patterns {
		same := func(q pattern) bool { return q.String() == p.String() }
		before := len(patterns)
		patterns = slices.DeleteFunc(patterns, same)
		if len(patterns) == before {
			return notGiven(p.String(), slices.ContainsFunc(r.file.Patterns, same))
		}
	}
	r.given = bansConfig{Prefixes: prefixes, Patterns: patterns}
	return nil
}

func notGiven(rule string, inFile bool) error {
	if inFile {
		return fmt.Errorf("%q is in the file or the command line: take it out there, and reload", rule)
	}
	return fmt.Errorf("%q is not banned", rule)
}

// all returns all rules.
func (r *rules) all() bansConfig {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.file
	all.Prefixes = slices.Concat(r.file.Prefixes, r.given.Prefixes)
	all.Patterns = slices.Concat(r.file.Patterns, r.given.Patterns)
	return all
}

// forJudge returns the rules in the form of a Judge.
func (of bansConfig) forJudge() health.Rules {
	rules := health.Rules{
		Banned:   ban.NewSet(of.Prefixes),
		SameName: int(of.SameName), MaxPlayers: int(of.MaxPlayers),
	}
	for _, p := range of.Patterns {
		rules.Patterns = append(rules.Patterns, p.Regexp)
	}
	return rules
}

// of returns the rules that ban an address.
func (r *rules) of(addr netip.Addr) (all []rule) {
	for _, one := range r.list() {
		if p, err := ban.ParsePrefix(one.Prefix); err == nil && p.Contains(addr) {
			all = append(all, one)
		}
	}
	return all
}

func (r *rules) list() []rule {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []rule{} // never null in JSON
	for _, of := range []struct {
		bans bansConfig
		from string
	}{{r.file, "file"}, {r.given, "admin"}} {
		for _, p := range of.bans.Prefixes {
			list = append(list, rule{Prefix: p.String(), From: of.from})
		}
		for _, p := range of.bans.Patterns {
			list = append(list, rule{Pattern: p.String(), From: of.from})
		}
	}
	return list
}
