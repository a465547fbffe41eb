package gamespy1net

import (
	"cmp"
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Store shares the list of a [Master] with other nodes.
//
// Its methods are called between datagrams and from several goroutines: Put for a
// server that is new in the list, and for heartbeats of listed servers, at most every
// 30 seconds for each; Remove for a server that has joined again or stopped. A server expires
// without a call of Remove if there is no further Put within [Expiry] after its Seen.
// The answer to a challenge must arrive at the node that sent it.
//
// The Master calls Watch when it is first used, and stop from Shutdown and Close.
type Store = lobbywire.Store[Entry, netip.AddrPort]

// A listStore adapts a Store to the list, whose keys are the addresses that servers send
// from.
type listStore struct{ store Store }

func (s listStore) Put(e serverlist.Entry) { s.store.Put(entryOf(e)) }

func (s listStore) Remove(source netip.AddrPort) { s.store.Remove(gameagent.GameAddr(source)) }

func (s listStore) Expire(source netip.AddrPort) { s.store.Expire(gameagent.GameAddr(source)) }

func (s listStore) Watch(put func(e serverlist.Entry), remove func(source netip.AddrPort)) (stop func()) {
	return s.store.Watch(
		func(e Entry) { put(e.inList()) },
		func(game netip.AddrPort) { remove(serverlist.SourceOf(game)) },
	)
}

// An Entry is a server that is listed or withheld. Its address is verified by this
// node or another one: by GameAgent it has returned a challenge, by
// GameSpy it has answered a query. The contents of Heartbeat and Status are not
// verified.
type Entry struct {
	Game      netip.AddrPort // as in the list of GameAgent; queries go to the next port. See View
	Seen      time.Time      // time of the last heartbeat of GameAgent or answer of GameSpy
	Heartbeat string         // the last one of GameAgent in its wire form, or ""; see Parse
	Status    string         // the last answer of GameSpy, without players, or ""; see ParseStatus
	GameName  string         // "" without a Status
	Session   Session        // if Master.SetSession has set it
	Synced    bool           // known only from a master in SyncFrom
	Withheld  bool           // Admit withholds the server from the list

	// Local is the address of this machine at which the last message of the server arrived.
	// Queries from there reach the server even through routers that only let answers pass.
	// It is not valid if unknown, and differs between nodes.
	Local netip.Addr

	Extra map[string]json.RawMessage // unknown members of the binary form
}

// A Session is the part of a server's status that the heartbeats of GameAgent do not contain.
type Session struct{ Name, GameName string }

// entryOf returns the Entry of a server in the list; inList is its inverse.
func entryOf(e serverlist.Entry) Entry {
	return Entry{
		Game: e.Game, Seen: e.Seen, Heartbeat: e.Heartbeat, Status: e.Status, GameName: e.GameName,
		Session: Session(e.Session), Synced: e.Synced, Withheld: e.Withheld, Local: e.Local, Extra: e.Extra,
	}
}

func (e Entry) inList() serverlist.Entry {
	return serverlist.Entry{
		Game: e.Game, Seen: e.Seen, Heartbeat: e.Heartbeat, Status: e.Status, GameName: e.GameName,
		Session: serverlist.Session(e.Session), Synced: e.Synced, Withheld: e.Withheld, Local: e.Local, Extra: e.Extra,
	}
}

// An entryForm is the binary form of an Entry.
type entryForm struct {
	Game      netip.AddrPort `json:"a,omitzero"`
	Seen      int64          `json:"s"` // in milliseconds
	Heartbeat []byte         `json:"h"`
	Status    []byte         `json:"t,omitempty"`
	GameName  []byte         `json:"g,omitempty"`
	Synced    bool           `json:"y,omitempty"`
	Local     netip.Addr     `json:"l,omitzero"`
	Session   []byte         `json:"n,omitempty"` // its name
	Product   []byte         `json:"p,omitempty"` // its game
}

// AppendBinary appends the form for a [lobbywire.Store] that saves or sends entries.
func (e Entry) AppendBinary(b []byte) ([]byte, error) {
	f := entryForm{
		e.Game, e.Seen.UnixMilli(), []byte(e.Heartbeat), []byte(e.Status), []byte(e.GameName), e.Synced, e.Local,
		[]byte(e.Session.Name), []byte(e.Session.GameName),
	}
	return registry.AppendForm(b, "gamespy1net", &f, e.Extra)
}

// MarshalBinary returns what AppendBinary appends.
func (e Entry) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary reads the form that AppendBinary writes. On error, e is unchanged.
func (e *Entry) UnmarshalBinary(b []byte) error {
	var f entryForm
	extra, err := registry.ParseForm(b, "gamespy1net", &f)
	if err != nil {
		return err
	}
	*e = Entry{
		Game: f.Game, Seen: time.UnixMilli(f.Seen), Heartbeat: string(f.Heartbeat), Status: string(f.Status),
		GameName: string(f.GameName), Synced: f.Synced, Local: f.Local,
		Session: Session{string(f.Session), string(f.Product)}, Extra: extra,
	}
	return nil
}

// Parse parses the heartbeat. It fails if there is none, and may fail otherwise, because
// heartbeats are stored unchecked.
func (e Entry) Parse() (gameagent.Heartbeat, error) {
	return gameagent.ParseHeartbeat([]byte(e.Heartbeat))
}

// ParseStatus parses the answer. It fails if there is none.
func (e Entry) ParseStatus() (gamespy1.Status, error) {
	return gamespy1.ParseStatus([]byte(e.Status))
}

// View returns the last answer in the common form or, if there is none, the last heartbeat
// with the name in Session. For an invalid heartbeat it is empty. Port is the port of Game,
// unless GameSpy uses another one or it is unknown: see [gamespy1.GamePort].
func (e Entry) View() (v lobbywire.View) {
	port := e.Game.Port()
	if m, err := e.ParseStatus(); err == nil {
		v = m.View()
		port = cmp.Or(v.Port, gamespy1.GamePort(e.GameName, serverlist.SourceOf(e.Game).Port()))
	} else if m, err := e.Parse(); err == nil {
		v = m.View()
		v.Name = lobbywire.UTF8(e.Session.Name)
	}
	v.Host, v.Port = e.Game.Addr().String(), port
	return v
}

// Expiry is the time that a server stays listed after its last heartbeat: 300 s.
const Expiry = serverlist.Expiry
