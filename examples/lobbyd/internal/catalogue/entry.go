package catalogue

import (
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// A Family is a family of protocols, named after its package.
type Family string

// The families.
const (
	GameAgent Family = "gameagent"
	GameSpy   Family = "gamespy2"
	Warzone   Family = "warzone"
	Bomberman Family = "bomberman"
)

// Families returns all families.
func Families() []Family { return []Family{GameAgent, GameSpy, Warzone, Bomberman} }

// An Entry is a server or an open game of any family. Texts are as received from the
// network, in UTF-8, and may contain any characters.
type Entry struct {
	ID     string // unique and safe in a URL: "warzone-7", "gameagent-192.0.2.1-25600"
	Family Family
	// the protocol that it arrived by: "gameagent", "legacy", "gamespy2", "bomberman", "lobby",
	// "text", "binary", "json", "http"
	Source  string
	Node    string         // the node that its host is connected to
	Query   netip.AddrPort // where it answers queries for its players; invalid if it does not
	Address string         // where players join, host:port; unverified for bomberman, "" if only players may know it

	At  netip.AddrPort // where its host is; only operators may know it if Address is ""
	Via netip.Addr     // the address of this machine at which it registered over UDP, to query it from; may be invalid

	Game       string // the game's name in the protocol, such as "serioussamse"
	Name       string
	Map        string
	Mode       string
	Version    string
	Players    int // -1 is unknown
	MaxPlayers int // -1 is unknown
	Spectators Spectators

	Since time.Time // when it was first seen here
	Seen  time.Time // when it last sent something

	Verified   bool   // its host has proved that it is at Address
	Saved      Saved  // whether its values are from before a restart
	Reach      Reach  // whether it responds
	Quarantine string // why it is hidden from all lists; "" if it is listed
	Cause      Cause  // of Quarantine
	Pattern    string // the pattern that bans its name, which only operators may know, or ""
	Official   bool   // an operator has marked it, and it is Verified
	Local      bool   // Address, or the address for players, is of the machine or a private network, and the list is public

	Fields []Field // what its host sent, complete, in the order of the protocol

	Revision uint64 // another one for each entry that Update puts; set by Update
}

// HiddenBy returns Quarantine in the form for operators.
func (e *Entry) HiddenBy() string {
	if e.Pattern == "" {
		return e.Quarantine
	}
	return fmt.Sprintf("%s, %q", e.Quarantine, e.Pattern)
}

// Spectators are the people who watch a game. The zero value is unknown.
type Spectators struct {
	Known    bool
	Now, Max int
}

// A Field is a name and a value that a host sent.
type Field struct{ Name, Value string }

// Reach states whether a server responds to connections or queries.
type Reach string

// The values of Reach.
const (
	Unknown     Reach = "unknown"
	Reachable   Reach = "reachable"
	Unreachable Reach = "unreachable"
)

// A Cause is a kind of reason to hide a server. Reasons of one Cause can have different
// texts.
type Cause string

// The causes; "" is none.
const (
	BannedAddress Cause = "address"
	BannedName    Cause = "name"
	HiddenServer  Cause = "server"    // by the operator
	SameName      Cause = "same-name" // too many have the name
	TooLarge      Cause = "size"      // it claims too many players or places
	Silent        Cause = "silent"    // it does not answer at its port any more
	Unstarted     Cause = "unstarted" // a game that has waited too long for its start
)

// Causes returns all causes.
func Causes() []Cause {
	return []Cause{BannedAddress, BannedName, HiddenServer, SameName, TooLarge, Silent, Unstarted}
}

// same reports whether a and b look the same to a reader. It ignores Seen.
func same(a, b *Entry) bool {
	return a.Family == b.Family && a.Source == b.Source && a.Node == b.Node && a.Address == b.Address &&
		a.Query == b.Query &&
		a.Game == b.Game && a.Name == b.Name && a.Map == b.Map && a.Mode == b.Mode && a.Version == b.Version &&
		a.Players == b.Players && a.MaxPlayers == b.MaxPlayers && a.Spectators == b.Spectators && a.Since.Equal(b.Since) &&
		a.Verified == b.Verified && a.Saved == b.Saved && a.Reach == b.Reach && a.Quarantine == b.Quarantine &&
		a.Local == b.Local && a.Official == b.Official &&
		slices.Equal(a.Fields, b.Fields)
}

// Saved states whether the values of an entry are from before a restart.
type Saved string

// The values of Saved.
const (
	Live      Saved = ""          // its host has sent something since
	Unchecked Saved = "unchecked" // its host may be gone
	Checked   Saved = "checked"   // its host answers
)
