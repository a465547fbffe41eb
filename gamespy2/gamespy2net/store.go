package gamespy2net

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Store shares the list of a [Master] with other nodes.
//
// Its methods are called between datagrams and from several goroutines: Put for a server
// that is new in the list, and for heartbeats of listed servers, at most every 30 seconds
// for each; Remove for a server that has stopped. A server expires without a call of Remove
// if there is no further Put within [Expiry] after its Seen. The answer to a challenge must
// arrive at the node that sent it. A node ignores servers of unknown games.
//
// The Master calls Watch when it is first used, and stop from Shutdown and Close.
type Store = lobbywire.Store[Entry, netip.AddrPort]

// An Entry is a server that is listed or withheld. Its address is verified: the
// server has answered a challenge of this node or of another node. The contents of
// Heartbeat are not verified.
type Entry struct {
	Game      string         // name of the game
	Addr      netip.AddrPort // of the query port, which heartbeats come from
	Seen      time.Time      // time of the last heartbeat or keepalive
	Heartbeat string         // the last one in its wire form; see Parse
	Withheld  bool           // Admit withholds the server from the list

	// NeedsChallenge means that the server answers only queries with a challenge, although
	// its Game does not set RequireChallenge. Lists contain its fields.
	NeedsChallenge bool

	// Local is the address of this machine at which the last message of the server arrived.
	// Queries from there reach the server even through routers that only let answers pass.
	// It is not valid if unknown, and differs between nodes.
	Local netip.Addr

	Extra map[string]json.RawMessage // unknown members of the binary form
}

// An entryForm is the binary form of an Entry.
type entryForm struct {
	Addr           netip.AddrPort `json:"a,omitzero"`
	Game           string         `json:"g"`
	Seen           int64          `json:"s"` // in milliseconds
	Heartbeat      []byte         `json:"h"`
	NeedsChallenge bool           `json:"n,omitempty"`
	Local          netip.Addr     `json:"l,omitzero"`
}

// AppendBinary appends the form for a [lobbywire.Store] that saves or sends entries.
func (e Entry) AppendBinary(b []byte) ([]byte, error) {
	f := entryForm{e.Addr, e.Game, e.Seen.UnixMilli(), []byte(e.Heartbeat), e.NeedsChallenge, e.Local}
	return registry.AppendForm(b, "gamespy2net", &f, e.Extra)
}

// MarshalBinary returns what AppendBinary appends.
func (e Entry) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary reads the form that AppendBinary writes. On error, e is unchanged.
func (e *Entry) UnmarshalBinary(b []byte) error {
	var f entryForm
	extra, err := registry.ParseForm(b, "gamespy2net", &f)
	if err != nil {
		return err
	}
	*e = Entry{
		Game: f.Game, Addr: f.Addr, Seen: time.UnixMilli(f.Seen), Heartbeat: string(f.Heartbeat),
		NeedsChallenge: f.NeedsChallenge, Local: f.Local, Extra: extra,
	}
	return nil
}

// Parse parses the heartbeat.
func (e Entry) Parse() (qr2.Heartbeat, error) { return qr2.ParseHeartbeat([]byte(e.Heartbeat)) }

// View returns the server in the common form, as [qr2.Heartbeat.View] does. Host is the
// address in Addr.
func (e Entry) View() lobbywire.View {
	m, _ := e.Parse() // without keys on error
	v := m.View()
	v.Host = e.Addr.Addr().String()
	return v
}

// Expiry is the time that a server stays listed after its last heartbeat or keepalive.
// Servers send a heartbeat every minute, and keepalives between them.
const Expiry = 150 * time.Second
