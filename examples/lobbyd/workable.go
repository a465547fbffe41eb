package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// checkWorkable refuses settings that would have no effect, except limits, and files that
// cannot be written. runs reports whether the server with a name and an address runs.
func (c config) checkWorkable(runs func(name string, at address) bool) error {
	err := c.checkUseful(runs)
	if cache := c.Warzone.TLS.Cache; cache != "" {
		const private = 0o700
		unusable := os.MkdirAll(cache, private)
		if unusable == nil {
			unusable = checkWritable(cache)
		}
		if unusable != nil {
			err = errors.Join(err, fmt.Errorf("-acme-cache: %w", unusable))
		}
	}
	if err != nil {
		return &usageError{err}
	}
	return nil
}

// checkUseful refuses settings that would have no effect, except limits: the needs of flags, and
// the games of GameSpy, which only a file contains.
func (c config) checkUseful(runs func(name string, at address) bool) error {
	running := map[string]bool{"admin": c.mayHaveSocket() || runs("admin", address{})}
	for _, l := range c.listens() {
		running[l.server] = runs(l.server, *l.at)
	}
	var errs []error
	for _, g := range flagGroups(&c, new(string)) {
		for _, n := range g.needs {
			if n.isSet && !slices.ContainsFunc(n.servers, func(server string) bool { return running[server] }) {
				errs = append(errs, errors.New(n.missing))
			}
		}
	}
	hasGames, hasGameSpy := len(c.GameSpy.Games) > 0, running["gamespy"] || running["gamespy-list"]
	switch {
	case hasGames && !hasGameSpy:
		errs = append(errs, errors.New("gamespy.games needs -gamespy2 or -gamespy2-list, which are off"))
	case hasGameSpy && !hasGames:
		errs = append(errs, errors.New("-gamespy2 and -gamespy2-list need gamespy.games in the -config"))
	}
	return errors.Join(errs...)
}

func (c tlsConfig) isSet() bool { return c.Cert != "" || len(c.ACME) > 0 }

// checkWritable returns an error unless files can be created in a directory.
func checkWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".lobbyd-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
