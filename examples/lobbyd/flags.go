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
		all.AddFlagSet(g.flags)
	}
	addOldNames(all)
	return all
}

// oldNames are earlier names of flags. Those of servers are still the names of their sockets.
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
	flags *pflag.FlagSet
}

func flagGroups(c *config, file *string) []flagGroup {
	return []flagGroup{
		{"Addresses", newAddressFlags(c)},
		{"Lists", newListFlags(c)},
		{"Limits and bans", newLimitFlags(c)},
		{"Certificate of -warzone-http", newCertificateFlags(&c.Warzone.TLS)},
		{"Cluster", newClusterFlags(&c.Cluster)},
		{"Configuration and data", newDataFlags(c, file)},
		{"Operation and logs", newOperatorFlags(c)},
	}
}

func newDataFlags(c *config, file *string) *pflag.FlagSet {
	flags := newFlagSet()
	flags.StringVar(file, "config", "", "read this TOML `file`; flags override it")
	flags.StringVar(&c.Data, "data", c.Data,
		"`directory` of lists and secrets, or off; by default $STATE_DIRECTORY or ~/.local/state/lobbyd")
	return flags
}

func newAddressFlags(c *config) *pflag.FlagSet {
	flags := newFlagSet()
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
	listen("bomberman", &c.Bomberman.Listen, "TCP `address` of the Bomberman management server")
	listen("web", &c.Web.Listen, "TCP `address` of page, API and HTTP lobby")
	listen("metrics", &c.Metrics.Listen, "TCP `address` of the metrics")
	flags.IntVar(&c.Offset, "offset", c.Offset,
		"add this `number` to all ports except 0")
	return flags
}

func newListFlags(c *config) *pflag.FlagSet {
	flags := newFlagSet()
	flags.StringVar(&c.Warzone.MOTD, "motd", c.Warzone.MOTD,
		"message of the day: a `text` for clients of the Warzone lobbies")
	flags.BoolVar(&c.Warzone.NoVerify, "no-verify", c.Warzone.NoVerify,
		"list Warzone games without checking that they can be reached")
	listVar(flags, &c.Warzone.TrustedProxies, "trusted-proxy",
		"`address` or prefix of a proxy that names clients in X-Forwarded-For; may be repeated")
	flags.StringVar(&c.Warzone.KeyFile, "warzone-key-file", c.Warzone.KeyFile,
		"`file` with a secret for tokens of the HTTP lobby, otherwise in $"+keyVariable+" or made in -data")
	listVar(flags, &c.Map, "map",
		"list one address as another (`from=to`), such as 127.0.0.1=203.0.113.7; may be repeated")
	return flags
}

func newLimitFlags(c *config) *pflag.FlagSet {
	flags := newFlagSet()
	flags.Uint32Var(&c.GameAgent.MaxServers, "gameagent-max", c.GameAgent.MaxServers,
		"maximum `number` of GameAgent servers; 0 means 100000")
	flags.Uint32Var(&c.Warzone.MaxGames, "warzone-max", c.Warzone.MaxGames,
		"maximum `number` of Warzone games; 0 means 16384")
	flags.Uint32Var(&c.Bomberman.MaxServers, "bomberman-max", c.Bomberman.MaxServers,
		"maximum `number` of Bomberman servers; 0 means 100000")
	listVar(flags, &c.Bans.Prefixes, "ban",
		"ban an `address` or a prefix, such as 192.0.2.0/24; may be repeated")
	listVar(flags, &c.Bans.Patterns, "ban-pattern",
		"hide servers whose name matches this regular `expression`; may be repeated")
	flags.TextVar(&c.Bans.Unstarted, "ban-unstarted", c.Bans.Unstarted,
		"hide games of Warzone that have not started for this `time`, as 6h; 0 hides none")
	return flags
}

func newCertificateFlags(c *tlsConfig) *pflag.FlagSet {
	flags := newFlagSet()
	flags.StringVar(&c.Cert, "tls-cert", c.Cert, "`file` with the certificate of -warzone-http")
	flags.StringVar(&c.Key, "tls-key", c.Key, "`file` with the key of this certificate")
	flags.StringArrayVar(&c.ACME, "acme", c.ACME,
		"get a certificate of -warzone-http for this `name` by ACME; may be repeated")
	flags.StringVar(&c.Directory, "acme-directory", c.Directory,
		"`URL` of the ACME server; by default Let's Encrypt")
	flags.StringVar(&c.Cache, "acme-cache", c.Cache,
		"`directory` to keep these certificates in")
	return flags
}

func newClusterFlags(c *clusterConfig) *pflag.FlagSet {
	flags := newFlagSet()
	flags.StringVar(&c.NATS, "nats", c.NATS,
		"`URL` of a NATS server to share lists over, or \"embedded\" to run one")
	flags.StringVar(&c.Name, "name", c.Name,
		"unique `name` of this node; by default the host name")
	flags.StringVar(&c.Routes, "routes", c.Routes,
		"`host:port` at which embedded NATS accepts the other nodes")
	flags.StringArrayVar(&c.Peers, "peer", c.Peers,
		"`host:port` of the -routes of another node; may be repeated")
	flags.StringVar(&c.SecretFile, "cluster-secret-file", c.SecretFile,
		"`file` with the secret of the cluster, otherwise in $"+secretVariable)
	newAccessFlags(flags, c)
	return flags
}

func newOperatorFlags(c *config) *pflag.FlagSet {
	flags := newFlagSet()
	flags.StringVar(&c.Admin.Socket, "admin", c.Admin.Socket,
		"`path` of a unix socket for lobbyd admin, or off; by default admin.sock in -data")
	flags.TextVar(&c.Admin.Listen, "admin-listen", c.Admin.Listen, "TCP `address` for lobbyd admin with the token")
	flags.StringVar(&c.Admin.TokenFile, "admin-token-file", c.Admin.TokenFile,
		"`file` with the token, otherwise in $"+tokenVariable)
	flags.BoolVar(&c.Admin.PProf, "pprof", c.Admin.PProf, "serve profiles over the interface of lobbyd admin")
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
