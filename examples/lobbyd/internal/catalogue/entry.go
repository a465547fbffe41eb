package catalogue

import (
	"slices"
	"time"
)

// A Family is a family of protocols, as in the names of packages.
type Family string

// The families.
const (
	GameAgent Family = "gameagent"
	Warzone   Family = "warzone"
	Bomberman Family = "bomberman"
)

// An Entry is a server or an open game of any family. All texts are as they came
// from the network: any bytes.
type Entry struct {
	ID      string // unique and safe in a URL: "warzone-7", "gameagent-192.0.2.1-25600"
	Family  Family
	Source  string // the protocol by which it came: "gameagent", "bomberman", "lobby", "text", "binary", "json"
	Node    string // the node that its host is connected to
	Address string // where players join, host:port; of bomberman it is a claim

	Name       string
	Map        string
	Mode       string
	Version    string
	Players    int // -1 is unknown
	MaxPlayers int // -1 is unknown

	Since time.Time // when it was first seen here
	Seen  time.Time // when it was last heard of

	Verified   bool   // whoever is listed has shown that it is at Address
	Reach      Reach  // whether it answers
	Quarantine string // why no list has it; "" if lists have it

	Fields []Field // what its host said, whole, in the order of the protocol
}

// A Field is a name and a value of what a host said.
type Field struct{ Name, Value string }

// Reach tells whether a server answers those who connect to it or query it.
type Reach string

// What is known of a server.
const (
	Unknown     Reach = "unknown"
	Reachable   Reach = "reachable"
	Unreachable Reach = "unreachable"
)

// same reports whether a and b look the same to a reader. That a server was
// heard of again makes no difference.
func same(a, b *Entry) bool {
	return a.Family == b.Family && a.Source == b.Source && a.Node == b.Node && a.Address == b.Address &&
		a.Name == b.Name && a.Map == b.Map && a.Mode == b.Mode && a.Version == b.Version &&
		a.Players == b.Players && a.MaxPlayers == b.MaxPlayers && a.Since.Equal(b.Since) &&
		a.Verified == b.Verified && a.Reach == b.Reach && a.Quarantine == b.Quarantine &&
		slices.Equal(a.Fields, b.Fields)
}
