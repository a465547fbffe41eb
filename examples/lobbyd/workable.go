package main

import (
	"errors"
	"fmt"
	"os"
)

// checkWorkable refuses settings that would have no effect, except limits, and files that
// cannot be written. runs reports whether a server runs, which has a name and an address.
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

// checkUseful refuses settings that would have no effect, except limits.
func (c config) checkUseful(runs func(name string, at address) bool) error {
	w := c.Warzone
	hasHTTP, hasWeb := runs("http", w.HTTP), runs("web", c.Web.Listen)
	hasGameSpy := runs("gamespy", c.GameSpy.Listen) || runs("gamespy-list", c.GameSpy.List)
	hasRecords := runs("layout21", w.Layout21) || runs("layout20", w.Layout20)
	hasMOTD := hasHTTP || hasWeb || hasRecords || runs("warzone", w.Listen)
	hasLobby := hasMOTD || runs("text", w.Text) || runs("binary", w.Binary) || runs("json", w.JSON)
	hasToken := runs("admin-listen", c.Admin.Listen)
	hasAdmin := hasToken || c.mayHaveSocket() || runs("admin", address{})
	hasACME := len(w.TLS.ACME) > 0
	var errs []error
	for _, s := range []struct {
		idle bool
		why  string
	}{
		{w.TLS.isSet() && !hasHTTP, "-tls-cert and -acme are for the server of -warzone-http, which is off"},
		{w.TLS.Cache != "" && !hasACME, "-acme-cache is for the certificates of -acme, which is not set"},
		{w.TLS.Directory != "" && !hasACME, "-acme-directory is for -acme, which is not set"},
		{w.RecordPort != 0 && !hasRecords, "-record-port is for the lobbies of -layout21 and -layout20, which are off"},
		{w.MOTD != "" && !hasMOTD, "-motd is for the Warzone lobbies, which are off"},
		{w.NoVerify && !hasLobby, "-no-verify is for the Warzone lobbies, which are off"},
		{len(w.TrustedProxies) > 0 && !hasHTTP && !hasWeb, "-trusted-proxy is for -web and -warzone-http, which are off"},
		{len(c.GameSpy.Games) > 0 && !hasGameSpy, "gamespy.games needs -gamespy2 or -gamespy2-list, which are off"},
		{len(c.GameSpy.Games) == 0 && hasGameSpy, "-gamespy2 and -gamespy2-list need gamespy.games in the -config"},
		{c.Admin.PProf && !hasAdmin, "-pprof needs -admin or -admin-listen, which are off"},
		{c.Admin.TokenFile != "" && !hasToken, "-admin-token-file is for -admin-listen, which is off"},
		{c.Cluster.Name != "" && c.Cluster.NATS == "", "-name is the name of a node, which needs -nats"},
	} {
		if s.idle {
			errs = append(errs, errors.New(s.why))
		}
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
