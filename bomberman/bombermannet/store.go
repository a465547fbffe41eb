package bombermannet

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Store shares the list of a [ManagementServer] with other nodes.
//
// Its methods are called one at a time, in the order of the changes. Put is called for
// a game server that is new in the list or has changed, at most once a second for each
// connection and 1000 times a second in total, and again every 30 seconds while its
// connection lasts. Remove is called once when the game server leaves the list. If a
// node fails, its game servers expire without a call of Remove: there is no further Put
// within [Expiry] after their Seen.
//
// Shutdown and Close end all connections and therefore call Remove for each game server of
// this node. A Store that keeps the list for a later run ignores Remove from then on, as in
// the example.
//
// A game server has another ID on each connection. If entries from one address name the
// same address and port, the ManagementServer lists those of its own connections or, if
// there are none, the latest. It does not list an entry from before its start once the game
// server has connected to it.
//
// The ManagementServer calls Watch when it is first used, and stop from Shutdown and
// Close. Entry.ID is the key.
type Store = lobbywire.Store[Entry, uint64]

// An Entry is a game server that is listed or withheld.
type Entry struct {
	ID       uint64           // random, for its connection; the same on all nodes
	Server   bomberman.Server // without Extra
	From     netip.AddrPort   // peer of the connection; not valid if it is not over TCP
	Seen     time.Time        // when its connection was last known to be open
	Withheld bool             // Admit withholds the game server from the list

	Extra map[string]json.RawMessage // unknown members of the binary form
}

// An entryForm is the binary form of an Entry.
type entryForm struct {
	ID      uint64                 `json:"i,omitempty"`
	Seen    int64                  `json:"s"` // in milliseconds
	From    netip.AddrPort         `json:"f"`
	Name    []byte                 `json:"n"`
	Address []byte                 `json:"a"`
	Port    int                    `json:"p"`
	Current int                    `json:"c"`
	Max     int                    `json:"m"`
	Open    bool                   `json:"o,omitempty"`
	Mode    bomberman.GameplayMode `json:"g"`
}

// AppendBinary appends the form for a [lobbywire.Store] that saves or sends entries.
func (e Entry) AppendBinary(b []byte) ([]byte, error) {
	s := &e.Server
	f := entryForm{
		e.ID, e.Seen.UnixMilli(), e.From, []byte(s.Name), []byte(s.Address), s.Port,
		s.Players.Current, s.Players.Max, s.IsLobbyOpen, s.GameplayMode,
	}
	return registry.AppendForm(b, "bombermannet", &f, e.Extra)
}

// MarshalBinary returns what AppendBinary appends.
func (e Entry) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary reads the form that AppendBinary writes. On error, e is unchanged.
func (e *Entry) UnmarshalBinary(b []byte) error {
	var f entryForm
	extra, err := registry.ParseForm(b, "bombermannet", &f)
	if err != nil {
		return err
	}
	*e = Entry{
		ID: f.ID, From: f.From, Seen: time.UnixMilli(f.Seen), Extra: extra,
		Server: bomberman.Server{
			Name:         string(f.Name),
			Address:      string(f.Address),
			Port:         f.Port,
			Players:      bomberman.PlayerCount{Current: f.Current, Max: f.Max},
			IsLobbyOpen:  f.Open,
			GameplayMode: f.Mode,
		},
	}
	return nil
}

// Expiry is how long a game server of another node stays listed without a Put.
const Expiry = 100 * time.Second
