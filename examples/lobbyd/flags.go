package main

import (
	"encoding"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// newFlags returns the flags. They change c; file is set to the name of the
// configuration file.
func newFlags(c *config, file *string) *pflag.FlagSet {
	all := newFlagSet()
	for _, g := range flagGroups(c, file) {
		all.AddFlagSet(g.FlagSet)
	}
	addOldNames(all)
	return all
}

// oldNames are earlier names of flags. For servers, they are still the names of their
// sockets.
var oldNames = [...]struct{ old, now string }{
	{"http", "warzone-http"},
	{"gamespy", "gamespy2"},
	{"gamespy-list", "gamespy2-list"},
	{"cluster", "routes"},
}

// addOldNames makes flags accept their earlier names too, which -help does not list.
func addOldNames(flags *pflag.FlagSet) {
	for _, n := range oldNames {
		f := *flags.Lookup(n.now)
		f.Name, f.Hidden = n.old, true
		flags.AddFlag(&f)
	}
}

// flagOf returns the name of the flag of a server.
func flagOf(server string) string {
	for _, n := range oldNames {
		if n.old == server {
			return n.now
		}
	}
	return server
}

func newFlagSet() *pflag.FlagSet {
	flags := pflag.NewFlagSet("lobbyd", pflag.ContinueOnError)
	flags.SortFlags = false
	return flags
}

// A flagGroup is a part of the flags, as -help lists them.
type flagGroup struct {
	title string
	*pflag.FlagSet
	needs []need
}

// A need is a condition for a setting to have an effect.
type need struct {
	isSet   bool
	servers []string // one of them has to run; without any, another setting is missing
	missing string   // the error
}

func newFlagGroup(title string) *flagGroup { return &flagGroup{title: title, FlagSet: newFlagSet()} }

// need defines a need of the flag before it.
func (g *flagGroup) need(isSet bool, missing string, servers ...string) {
	g.needs = append(g.needs, need{isSet, servers, missing})
}

func flagGroups(c *config, file *string) []*flagGroup {
	return []*flagGroup{
		newAddressFlags(c),
		newListFlags(c),
		newLimitFlags(c),
		newCertificateFlags(&c.Warzone.TLS),
		newClusterFlags(&c.Cluster),
		newDataFlags(c, file),
		newOperatorFlags(c),
	}
}

func newDataFlags(c *config, file *string) *flagGroup {
	flags := newFlagGroup("Configuration and data")
	flags.StringVar(file, "config", "", "read this TOML `file`; flags override it")
	flags.StringVar(&c.Data, "data", c.Data,
		"`directory` of lists and secrets, or off; by default $STATE_DIRECTORY or ~/.local/state/lobbyd")
	return flags
}

func newAddressFlags(c *config) *flagGroup {
	flags := newFlagGroup("Addresses")
	listen := func(name string, at *address, usage string) {
		flags.TextVar(at, name, *at, usage)
	}
	listen("gameagent", &c.GameAgent.Listen, "UDP `address` of the GameAgent master")
	listen("gameagent-legacy", &c.GameAgent.Legacy,
		"UDP `address` for servers of the legacy form, the first GameSpy protocol")
	listen("gameagent-list", &c.GameAgent.List, "TCP `address` of the list of -gameagent-legacy")
	listen("gamespy2", &c.GameSpy.Listen,
		"UDP `address` of the master of GameSpy's second protocol, for games in the -config")
	listen("gamespy2-list", &c.GameSpy.List, "TCP `address` of the lists of -gamespy2")
	listen("warzone", &c.Warzone.Listen, "TCP `address` of the Warzone lobby")
	listen("text", &c.Warzone.Text, "TCP `address` of the text proposal of 2009")
	listen("binary", &c.Warzone.Binary, "TCP `address` of the binary proposal of 2009")
	listen("json", &c.Warzone.JSON, "TCP `address` of the JSON proposal of 2009")
	listen("warzone-http", &c.Warzone.HTTP,
		"TCP `address` of the lobby of Warzone 4.7 alone, which -web always has at /lobby")
	listen("layout21", &c.Warzone.Layout21, "TCP `address` of a Warzone lobby for clients 2.1")
	listen("layout20", &c.Warzone.Layout20, "TCP `address` of a Warzone lobby for clients 2.0")
	flags.Uint16Var(&c.Warzone.RecordPort, "record-port", c.Warzone.RecordPort,
		"`port` of the games of -layout21 and -layout20; 0 means 9999")
	flags.need(c.Warzone.RecordPort != 0, "-record-port is for the lobbies of -layout21 and -layout20, which are off",
		"layout21", "layout20")
	listen("bomberman", &c.Bomberman.Listen, "TCP `address` of the Bomberman management server")
	listen("web", &c.Web.Listen, "TCP `address` of page, API and HTTP lobby")
	listen("metrics", &c.Metrics.Listen, "TCP `address` of the metrics")
	flags.IntVar(&c.Offset, "offset", c.Offset,
		"add this `number` to all ports except 0")
	return flags
}

func newListFlags(c *config) *flagGroup {
	flags := newFlagGroup("Lists")
	flags.StringVar(&c.Warzone.MOTD, "motd", c.Warzone.MOTD,
		"message of the day: a `text` for clients of the Warzone lobbies")
	greeting := []string{"warzone", "layout21", "layout20", "http", "web"}
	flags.need(c.Warzone.MOTD != "", "-motd is for the Warzone lobbies, which are off", greeting...)
	flags.BoolVar(&c.Warzone.NoVerify, "no-verify", c.Warzone.NoVerify,
		"list Warzone games without checking that they can be reached")
	flags.need(c.Warzone.NoVerify, "-no-verify is for the Warzone lobbies, which are off",
		append(greeting, "text", "binary", "json")...)
	listVar(flags.FlagSet, &c.Warzone.TrustedProxies, "trusted-proxy",
		"`address` or prefix of a proxy that names clients in X-Forwarded-For; may be repeated")
	flags.need(len(c.Warzone.TrustedProxies) > 0, "-trusted-proxy is for -web and -warzone-http, which are off",
		"web", "http")
	flags.StringVar(&c.Warzone.KeyFile, "warzone-key-file", c.Warzone.KeyFile,
		"`file` with a secret for tokens of the HTTP lobby, otherwise in $"+keyVariable+" or made in -data")
	listVar(flags.FlagSet, &c.Map, "map",
		"list one address as another (`from=to`), such as 127.0.0.1=203.0.113.7; may be repeated")
	return flags
}

func newLimitFlags(c *config) *flagGroup {
	flags := newFlagGroup("Limits and bans")
	flags.Uint32Var(&c.GameAgent.MaxServers, "gameagent-max", c.GameAgent.MaxServers,
		"maximum `number` of GameAgent servers; 0 means 65536")
	flags.Uint32Var(&c.Warzone.MaxGames, "warzone-max", c.Warzone.MaxGames,
		"maximum `number` of Warzone games; 0 means 16384")
	flags.Uint32Var(&c.Bomberman.MaxServers, "bomberman-max", c.Bomberman.MaxServers,
		"maximum `number` of Bomberman servers; 0 means 100000")
	listVar(flags.FlagSet, &c.Bans.Prefixes, "ban",
		"ban an `address` or a prefix, such as 192.0.2.0/24; may be repeated")
	listVar(flags.FlagSet, &c.Bans.Patterns, "ban-pattern",
		"hide servers whose name matches this regular `expression`; may be repeated")
	flags.TextVar(&c.Bans.Unstarted, "ban-unstarted", c.Bans.Unstarted,
		"hide games of Warzone that have not started for this `time`, as 6h; 0 hides none")
	return flags
}

func newCertificateFlags(c *tlsConfig) *flagGroup {
	flags := newFlagGroup("Certificate of -warzone-http")
	flags.StringVar(&c.Cert, "tls-cert", c.Cert, "`file` with the certificate of -warzone-http")
	flags.StringVar(&c.Key, "tls-key", c.Key, "`file` with the key of this certificate")
	flags.StringArrayVar(&c.ACME, "acme", c.ACME,
		"get a certificate of -warzone-http for this `name` by ACME; may be repeated")
	flags.need(c.isSet(), "-tls-cert and -acme are for the server of -warzone-http, which is off", "http")
	flags.StringVar(&c.Directory, "acme-directory", c.Directory,
		"`URL` of the ACME server; by default Let's Encrypt")
	flags.need(c.Directory != "" && len(c.ACME) == 0, "-acme-directory is for -acme, which is not set")
	flags.StringVar(&c.Cache, "acme-cache", c.Cache,
		"`directory` to keep these certificates in")
	flags.need(c.Cache != "" && len(c.ACME) == 0, "-acme-cache is for the certificates of -acme, which is not set")
	return flags
}

func newClusterFlags(c *clusterConfig) *flagGroup {
	flags := newFlagGroup("Cluster")
	flags.StringVar(&c.NATS, "nats", c.NATS,
		"`URL` of a NATS server to share lists over, or \"embedded\" to run one")
	flags.StringVar(&c.Name, "name", c.Name,
		"unique `name` of this node; by default the host name")
	flags.need(c.Name != "" && c.NATS == "", "-name is the name of a node, which needs -nats")
	flags.StringVar(&c.Routes, "routes", c.Routes,
		"`host:port` at which embedded NATS accepts the other nodes")
	flags.StringArrayVar(&c.Peers, "peer", c.Peers,
		"`host:port` of the -routes of another node; may be repeated")
	flags.StringVar(&c.SecretFile, "cluster-secret-file", c.SecretFile,
		"`file` with the secret of the cluster, otherwise in $"+secretVariable)
	newAccessFlags(flags.FlagSet, c)
	return flags
}

func newOperatorFlags(c *config) *flagGroup {
	flags := newFlagGroup("Operation and logs")
	flags.StringVar(&c.Admin.Socket, "admin", c.Admin.Socket,
		"`path` of a unix socket for lobbyd admin, or off; by default admin.sock in -data")
	flags.TextVar(&c.Admin.Listen, "admin-listen", c.Admin.Listen, "TCP `address` for lobbyd admin with the token")
	flags.StringVar(&c.Admin.TokenFile, "admin-token-file", c.Admin.TokenFile,
		"`file` with the token, otherwise in $"+tokenVariable)
	flags.need(c.Admin.TokenFile != "", "-admin-token-file is for -admin-listen, which is off", "admin-listen")
	flags.BoolVar(&c.Admin.PProf, "pprof", c.Admin.PProf, "serve profiles over the interface of lobbyd admin")
	flags.need(c.Admin.PProf, "-pprof needs -admin or -admin-listen, which are off", "admin", "admin-listen")
	flags.Func("log", "log `level`: debug, info, warn or error (default "+strings.ToLower(c.Log.String())+")",
		func(text string) error {
			if err := c.Log.UnmarshalText([]byte(text)); err != nil {
				return fmt.Errorf("%q is not a level: write debug, info, warn or error", text)
			}
			return nil
		})
	flags.TextVar(&c.Drain, "drain", c.Drain, "`time` between /readyz failing and the shutdown")
	flags.TextVar(&c.Grace, "grace", c.Grace, "`time` after which a shutdown closes open connections")
	return flags
}

// listVar defines a flag that adds its value to a list each time that it is given.
func listVar[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](flags *pflag.FlagSet, list *[]T, name, usage string) {
	flags.Func(name, usage, func(text string) error {
		var v T
		err := P(&v).UnmarshalText([]byte(text))
		*list = append(*list, v)
		return err
	})
}
