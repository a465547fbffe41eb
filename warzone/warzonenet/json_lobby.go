package warzonenet

import (
	"context"
	"hash/maphash"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A JSONLobby lists games in the JSON proposal of package wzjson. Its zero value is
// ready; fields must not change while it serves.
//
// A game is listed at the address of its host's connection and port 2100, because
// the proposal has no field for another. So an address has one game, and a new one
// replaces the old one. The host that adds a game gets a secret id, with which it
// changes and removes the game; the id is valid as long as this JSONLobby exists
// and the game is listed. The game outlives the connection. Games that were opened
// through another protocol are listed but cannot be changed.
//
// Every request is answered. Members that the proposal does not have are dropped.
//
// A filter has at most 8 elements. Filtered lists have rate limits, because each is
// made for its request: 4 a second for an IPv4 address or an IPv6 /64, with a burst
// of 16; 32 for an IPv4 /24 or an IPv6 /48, with a burst of 128; and 500 in total.
// Further requests are refused. Lists without a filter have no such limit.
type JSONLobby struct {
	// Games are the games that the lobby lists and to which hosts add theirs.
	// Other servers may share them. nil means an empty list of its own.
	Games *Games

	// Life is how long a game stays listed after the last Add, Update or Heartbeat
	// of its host. 0 means 120 seconds.
	Life time.Duration

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	once   sync.Once
	server proposalServer[wzjson.Message]
	view   view[jsonRow]
	ids    jsonIDs

	seed    maphash.Seed // of the keys of rows
	filters limit.Limiter
}

// jsonLife is the default of JSONLobby.Life, four times the interval of heartbeats.
const jsonLife = 120 * time.Second

// maxJSONRequest is the size of the longest message of a client. A message is
// scanned from its start whenever more of it arrives, so it must not be long.
const maxJSONRequest = 4 << 10

func (l *JSONLobby) init() {
	p := &l.server
	p.games = l.Games
	p.cutter = jsonRequests
	p.answer = l.answer
	p.refuse = func(text string) []byte { return encodedJSON(wzjson.Error{Message: text}) }
	p.closed = l.view.close
	p.init(l.Limits, maxJSONRequest, l.Logger)
	l.view = view[jsonRow]{games: p.games, row: l.newRow, join: joinJSONRows}
	l.ids = newJSONIDs()
	l.seed = maphash.MakeSeed()
	limitFilters(&l.filters)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln and closes it. Its error is never nil.
func (l *JSONLobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	return l.server.serve(ln)
}

// Shutdown stops accepting connections, answers pending requests, and returns
// when every Serve has returned or ctx is done. Games stay listed until they
// expire.
func (l *JSONLobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.server.shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned. Games stay listed until they expire.
func (l *JSONLobby) Close() error {
	l.once.Do(l.init)
	return l.server.close()
}

// Stats returns a snapshot.
func (l *JSONLobby) Stats() LobbyStats {
	l.once.Do(l.init)
	return l.server.snapshot()
}

// jsonRequests returns a function that cuts the requests of a connection off b.
func jsonRequests() func(b []byte) (m wzjson.Message, rest []byte, err error) {
	f := wzjson.Framer{Options: wzjson.Options{MaxFrame: maxJSONRequest}}
	return func(b []byte) (m wzjson.Message, rest []byte, err error) {
		payload, rest, err := f.Next(b)
		if err != nil {
			return nil, rest, err
		}
		m, err = wzjson.ParseMessage(payload)
		return m, rest, err
	}
}

// answer carries out a request.
func (l *JSONLobby) answer(from netip.Addr, m wzjson.Message) ([]byte, error) {
	switch m := m.(type) {
	case wzjson.List:
		return l.list(from, m)
	case wzjson.Add:
		return l.add(from, m)
	case wzjson.Update:
		return l.ack(wzjson.CommandUpdateAck, l.update(m))
	case wzjson.Heartbeat:
		return l.ack(wzjson.CommandHeartbeatAck, l.touch(m.ID))
	case wzjson.Goodbye:
		return l.ack(wzjson.CommandGoodbyeAck, l.remove(m.ID))
	}
	return nil, unknownCommand("wzjson")
}

// ack returns the answer to a request whose only result is err.
func (l *JSONLobby) ack(command string, err error) ([]byte, error) {
	return encodedJSON(wzjson.Ack{Command: command}), err
}

// add lists the game of a host.
func (l *JSONLobby) add(from netip.Addr, m wzjson.Add) ([]byte, error) {
	if m.Name == "" {
		return nil, errNoName
	}
	e := Entry{
		Key:     netip.AddrPortFrom(from, wzjson.DefaultPort),
		Source:  SourceJSON,
		Expires: l.expires(),
	}
	e.setJSON(m.Game())
	e, err := l.server.games.Add(e)
	if err != nil {
		return nil, err
	}
	l.server.stats.added.Add(1)
	return encodedJSON(wzjson.AddAck{ID: l.ids.id(&e)}), nil
}

// update changes some fields of a game.
func (l *JSONLobby) update(m wzjson.Update) error {
	if m.Fields.Name != nil && *m.Fields.Name == "" {
		return errNoName
	}
	e, err := l.find(m.ID)
	if err != nil {
		return err
	}
	_, err = l.server.games.Update(e.ID, func(e *Entry) {
		e.setJSON(m.Fields.Apply(e.json()))
		e.Expires = l.expires()
	})
	return l.updated(err)
}

// touch keeps a game listed.
func (l *JSONLobby) touch(id string) error {
	e, err := l.find(id)
	if err == nil && !l.server.games.Touch(e.ID, l.expires()) {
		err = ErrGone
	}
	return l.updated(err)
}

func (l *JSONLobby) updated(err error) error {
	if err == nil {
		l.server.stats.updated.Add(1)
	}
	return err
}

// remove removes a game.
func (l *JSONLobby) remove(id string) error {
	e, err := l.find(id)
	switch {
	case err != nil:
		return err
	case !l.server.games.Remove(e.ID):
		return ErrGone
	}
	l.server.stats.removed.Add(1)
	return nil
}

// find returns the game that has the id.
func (l *JSONLobby) find(id string) (Entry, error) {
	if number, ok := numberOf(id); ok {
		if e, ok := l.server.games.FindID(number); ok && l.ids.is(id, &e) {
			return e, nil
		}
	}
	return Entry{}, ErrGone
}

func (l *JSONLobby) expires() time.Time { return time.Now().Add(positiveOr(l.Life, jsonLife)) }
