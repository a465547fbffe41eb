package main

import (
	"errors"
	"fmt"
	"os"
)

// checkWorkable refuses settings that would have no effect, and files that cannot be
// written. runs reports whether a server runs, which has a name and an address.
func (c config) checkWorkable(runs func(name string, at address) bool) error {
	hasGameSpy := runs("gamespy", c.GameSpy.Listen) || runs("gamespy-list", c.GameSpy.List)
	var errs []error
	refuse := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if c.Warzone.TLS.isSet() && !runs("http", c.Warzone.HTTP) {
		refuse("-tls-cert and -acme are for the server of -http, which is off")
	}
	if c.Warzone.RecordPort != 0 && !runs("layout21", c.Warzone.Layout21) && !runs("layout20", c.Warzone.Layout20) {
		refuse("-record-port is for the lobbies of -layout21 and -layout20, which are off")
	}
	if len(c.GameSpy.Games) > 0 && !hasGameSpy {
		refuse("gamespy.games needs -gamespy or -gamespy-list, which are off")
	}
	if len(c.GameSpy.Games) == 0 && hasGameSpy {
		refuse("-gamespy and -gamespy-list need gamespy.games in the -config")
	}
	if cache := c.Warzone.TLS.Cache; cache != "" {
		const private = 0o700
		err := os.MkdirAll(cache, private)
		if err == nil {
			err = checkWritable(cache)
		}
		if err != nil {
			refuse("-acme-cache: %w", err)
		}
	}
	if len(errs) > 0 {
		return &usageError{errors.Join(errs...)}
	}
	return nil
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
