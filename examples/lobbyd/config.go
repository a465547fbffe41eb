package main

import (
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// A config is the whole configuration. Tags are the keys of the file, and reload marks the
// settings that a reload applies.
type config struct {
	Log    slog.Level `toml:"log" reload:"yes"`
	Drain  duration   `toml:"drain"`  // time between /readyz failing and the shutdown
	Grace  duration   `toml:"grace"`  // time for connections to end during the shutdown
	Offset int        `toml:"offset"` // added to all ports but 0
	Data   string     `toml:"data"`   // directory; "" is the default one, and "off" none

	Map []mapRule `toml:"map"` // from addresses that players cannot use

	GameAgent gameAgentConfig `toml:"gameagent"`
	GameSpy   gameSpyConfig   `toml:"gamespy"`
	Warzone   warzoneConfig   `toml:"warzone"`
	Bomberman bombermanConfig `toml:"bomberman"`
	Web       webConfig       `toml:"web"`
	Metrics   metricsConfig   `toml:"metrics"`
	Admin     adminConfig     `toml:"admin"`
	Cluster   clusterConfig   `toml:"cluster"`
	Bans      bansConfig      `toml:"bans"`
}

// A limit of 0 means the default of the library.
type gameAgentConfig struct {
	Listen        address `toml:"listen"`
	Legacy        address `toml:"legacy"` // of heartbeats of the legacy form; Listen takes them too
	List          address `toml:"list"`   // of the legacy list
	MaxServers    uint32  `toml:"max-servers" reload:"yes"`
	MaxPerAddress uint32  `toml:"max-per-address" reload:"yes"`
	MaxPerPrefix  uint32  `toml:"max-per-prefix" reload:"yes"`
	PerSource     uint32  `toml:"requests-per-source" reload:"yes"`
	ListPerSource uint32  `toml:"lists-per-source" reload:"yes"`
	MaxConns      uint32  `toml:"max-connections" reload:"yes"`

	Games    []legacyGameConfig `toml:"games" reload:"yes"`     // besides the games of Serious Sam
	SyncFrom []string           `toml:"sync-from" reload:"yes"` // host:port of legacy masters to fetch servers from
	SyncFor  []ban.Prefix       `toml:"sync-for" reload:"yes"`  // legacy masters that may fetch servers
}

// A legacyGameConfig is a game that is listed in the legacy form.
type legacyGameConfig struct {
	Name     string `toml:"name"`
	Key      string `toml:"key"`
	Validate bool   `toml:"validate"` // list only servers that know the key
	Native   bool   `toml:"native"`   // list them in the native list too

	QueryPort uint16 `toml:"query-port"` // the usual one, for servers that register without naming theirs
	Encoding  string `toml:"encoding"`   // of texts that are not UTF-8; "" means windows-1252
}

// A limit of 0 means the default of the library.
type gameSpyConfig struct {
	Listen         address `toml:"listen"`
	List           address `toml:"list"`
	MaxServers     uint32  `toml:"max-servers" reload:"yes"`
	MaxPerAddress  uint32  `toml:"max-per-address" reload:"yes"`
	MaxPerPrefix   uint32  `toml:"max-per-prefix" reload:"yes"`
	PerSource      uint32  `toml:"requests-per-source" reload:"yes"`
	MaxConns       uint32  `toml:"max-connections" reload:"yes"`
	MaxSubscribers uint32  `toml:"max-subscribers" reload:"yes"`         // clients that get changes
	FilterSteps    uint32  `toml:"filter-steps-per-source" reload:"yes"` // a second, of about a nanosecond each

	Games []gameConfig `toml:"games" reload:"yes"`
}

// A gameConfig is a game whose servers register with the GameSpy master.
type gameConfig struct {
	Name             string `toml:"name"`
	Key              string `toml:"key"`
	RequireChallenge bool   `toml:"require-challenge"` // servers then answer no query without one
	Encoding         string `toml:"encoding"`          // of texts that are not UTF-8; "" means windows-1252
}

type warzoneConfig struct {
	Listen   address `toml:"listen"`
	Text     address `toml:"text"`
	Binary   address `toml:"binary"`
	JSON     address `toml:"json"`
	HTTP     address `toml:"http"` // of the HTTP lobby alone; the port of the page serves it too
	Layout21 address `toml:"layout21"`
	Layout20 address `toml:"layout20"`

	RecordPort uint16 `toml:"record-port"` // of games in these layouts; 0 means 9999

	MOTD     string `toml:"motd" reload:"yes"`
	NoVerify bool   `toml:"no-verify"`

	TLS            tlsConfig    `toml:"tls"`             // of HTTP
	TrustedProxies []ban.Prefix `toml:"trusted-proxies"` // in front of the servers over HTTP
	KeyFile        string       `toml:"key-file"`        // of the tokens of the HTTP lobby
	key            string       `toml:"key-file"`

	MaxGames           uint32 `toml:"max-games" reload:"yes"`
	MaxGamesPerAddress uint32 `toml:"max-games-per-address" reload:"yes"`
	MaxGamesPerPrefix  uint32 `toml:"max-games-per-prefix" reload:"yes"`
	MaxListed          uint32 `toml:"max-listed"`
	connectionsConfig
}

// A tlsConfig selects the certificate of an HTTP server: from files, by ACME, or none.
type tlsConfig struct {
	Cert  string   `toml:"cert"`
	Key   string   `toml:"key"`
	ACME  []string `toml:"acme"`  // host names to get certificates for
	Cache string   `toml:"cache"` // directory of these
	Email string   `toml:"email"` // contact address for the certificate authority

	Directory string `toml:"directory"` // URL of the ACME server; empty means Let's Encrypt
}

type bombermanConfig struct {
	Listen         address `toml:"listen"`
	HideUntilStats bool    `toml:"hide-until-stats"`
	MaxServers     uint32  `toml:"max-servers" reload:"yes"`
	connectionsConfig
}

// A connectionsConfig limits the connections to each server.
type connectionsConfig struct {
	MaxConns      uint32 `toml:"max-connections" reload:"yes"`
	MaxPerAddress uint32 `toml:"max-per-address" reload:"yes"`
	MaxPerPrefix  uint32 `toml:"max-per-prefix" reload:"yes"`
}

type webConfig struct {
	Listen address `toml:"listen"`
	Title  string  `toml:"title"`

	PerSource        uint32 `toml:"requests-per-source" reload:"yes"`
	PerPrefix        uint32 `toml:"requests-per-prefix" reload:"yes"`
	MaxStreams       uint32 `toml:"max-streams"`
	StreamsPerSource uint32 `toml:"streams-per-source"`
	connectionsConfig
}

type metricsConfig struct {
	Listen address `toml:"listen"`
}

type adminConfig struct {
	Socket    string  `toml:"socket"` // path; "" is in the data directory, and "off" none
	Listen    address `toml:"listen"` // needs a token
	TokenFile string  `toml:"token-file"`
	PProf     bool    `toml:"pprof"`
	token     string  `toml:"token-file"` // never a flag, since flags are visible to other users
}

type clusterConfig struct {
	NATS     string   `toml:"nats"`   // a URL, "embedded", or "" for no cluster
	Name     string   `toml:"name"`   // of this node; "" means the host name
	Listen   string   `toml:"listen"` // of embedded NATS for clients
	Routes   string   `toml:"routes"` // of embedded NATS for its peers
	Peers    []string `toml:"peers"`  // routes of other nodes
	Replicas uint32   `toml:"replicas"`
	TTL      duration `toml:"ttl"` // of the entries of a dead node; 0 means 60 s

	SecretFile string `toml:"secret-file"`
	secret     string `toml:"secret-file"`

	CA           string `toml:"ca"`   // file: who signs the certificates of NATS or of the nodes
	Cert         string `toml:"cert"` // file: of this node
	Key          string `toml:"key"`  // file: of this certificate
	User         string `toml:"user"` // of a NATS elsewhere
	PasswordFile string `toml:"password-file"`
	TokenFile    string `toml:"token-file"`
	CredsFile    string `toml:"creds-file"` // JWT and seed
	NKeyFile     string `toml:"nkey-file"`  // seed
}

type bansConfig struct {
	Prefixes []ban.Prefix `toml:"prefixes" reload:"yes"`
	Patterns []pattern    `toml:"patterns" reload:"yes"` // of names

	SameName   uint32 `toml:"same-name" reload:"yes"`   // servers of a name that an address may list; 0 means 16
	MaxPlayers uint32 `toml:"max-players" reload:"yes"` // most players that a server may claim; 0 means 1024

	Unstarted duration `toml:"unstarted" reload:"yes"` // most time of a game until its start; 0 is any
}

// The proposals of 2009 were never deployed, so they are off.
func defaults() config {
	return config{
		Grace:     duration(10 * time.Second),
		GameAgent: gameAgentConfig{Listen: address{":9005"}, Legacy: address{":27900"}, List: address{":28900"}},
		Warzone:   warzoneConfig{Listen: address{":9990"}},
		Bomberman: bombermanConfig{Listen: address{":51963"}},
		Web:       webConfig{Listen: address{"127.0.0.1:8080"}, Title: "lobbyd"},
		Metrics:   metricsConfig{Listen: address{"127.0.0.1:8081"}},
	}
}
