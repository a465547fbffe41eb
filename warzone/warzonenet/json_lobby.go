package warzonenet

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A JSONLobby lists games in the JSON proposal of package wzjson. Its zero value is
// ready; fields must not change while it serves.
//
// A game is listed at the address of its host's connection and port 2100, because
// the proposal has no field for another. So an address has one game, and a new one
// replaces the old one. The host that adds a game gets a secret id, with which it
// changes and removes the game; the id is valid as long as this JSONLobby exists
// and the game is listed. Members that the proposal does not have are dropped.
//
// A filter has at most 8 elements. Filtered lists have rate limits, because each is
// made for its request: 4 a second for an IPv4 address or an IPv6 /64, with a burst
// of 16; 32 for an IPv4 /24 or an IPv6 /48, with a burst of 128; and 500 in total.
// Further requests are refused. Lists without a filter have no such limit.
type JSONLobby struct {
	Games *warzonegames.Games // as in a [Lobby]

	// Life is how long a game stays listed after the last Add, Update or Heartbeat
	// of its host. 0 means 120 seconds, four times the interval of heartbeats.
	Life time.Duration

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	proposalServer[wzjson.Message, jsonRow]
	key     []byte       // of the proofs in ids
	seed    maphash.Seed // of the keys of rows
	filters limit.Limiter
}

// maxJSONRequest is the size of the longest message of a client. A message is
// scanned from its start whenever more of it arrives, so it must not be long.
const maxJSONRequest = 4 << 10

func (l *JSONLobby) init() {
	l.server.Init(serving.Settings{
		Games:    l.Games,
		Limits:   l.Limits,
		MaxFrame: maxJSONRequest,
		Logger:   l.Logger,
		Handler:  func(_ context.Context, c *stream.Conn) { l.serveConn(c, jsonRequests()) },
	})
	l.life = cmp.Or(max(l.Life, 0), 120*time.Second)
	l.answer = l.answerRequest
	l.refuse = func(text string) []byte { return encodedJSON(wzjson.Error{Message: text}) }
	l.rows = warzonegames.Rows[jsonRow]{Games: l.server.Games, Row: l.newRow, Join: func(rows []jsonRow) []byte {
		return listJSONRows(rows, func(*jsonRow) bool { return true })
	}}
	l.key = make([]byte, 32)
	rand.Read(l.key) // cannot fail
	l.seed = maphash.MakeSeed()
	limitFilters(&l.filters)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln and closes it. Its error is never nil.
func (l *JSONLobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	return l.server.Serve(ln)
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

// answerRequest carries out a request.
func (l *JSONLobby) answerRequest(from netip.Addr, m wzjson.Message) ([]byte, error) {
	switch m := m.(type) {
	case wzjson.List:
		return l.listMatching(from, m.Filter)
	case wzjson.Add:
		return l.addGame(from, m)
	case wzjson.Update:
		return encodedJSON(wzjson.Ack{Command: wzjson.CommandUpdateAck}), l.updateGame(m)
	case wzjson.Heartbeat:
		e, found := l.find(m.ID)
		err := l.update(&l.counts.Stats.Updated, e, found, func(*warzonegames.Entry) {})
		return encodedJSON(wzjson.Ack{Command: wzjson.CommandHeartbeatAck}), err
	case wzjson.Goodbye:
		return encodedJSON(wzjson.Ack{Command: wzjson.CommandGoodbyeAck}), l.remove(l.find(m.ID))
	}
	return nil, unknownCommand("wzjson")
}

// addGame lists the game of a host.
func (l *JSONLobby) addGame(from netip.Addr, m wzjson.Add) ([]byte, error) {
	if m.Name == "" {
		return nil, refusal.ErrNoName
	}
	e := warzonegames.Entry{Key: netip.AddrPortFrom(from, wzjson.DefaultPort), Source: warzonegames.SourceJSON}
	setJSON(&e, m.Game())
	e, err := l.add(e)
	if err != nil {
		return nil, err
	}
	return encodedJSON(wzjson.AddAck{ID: l.id(&e)}), nil
}

// updateGame changes some fields of a game.
func (l *JSONLobby) updateGame(m wzjson.Update) error {
	if m.Fields.Name != nil && *m.Fields.Name == "" {
		return refusal.ErrNoName
	}
	e, found := l.find(m.ID)
	return l.update(&l.counts.Stats.Updated, e, found, func(e *warzonegames.Entry) { setJSON(e, m.Fields.Apply(jsonOf(e))) })
}

// idNumber is the size of the number in an id, in bytes. An id is written in hexadecimal.
const idNumber = 4

// find returns the game that has the id, which it checks in constant time. Games of
// other protocols have no id.
func (l *JSONLobby) find(id string) (warzonegames.Entry, bool) {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) != idNumber+macSize {
		return warzonegames.Entry{}, false
	}
	e, ok := l.server.Games.FindID(binary.BigEndian.Uint32(b))
	return e, ok && e.Source == warzonegames.SourceJSON && hmac.Equal([]byte(id), []byte(l.id(&e)))
}

// id returns the id with which its host identifies a game. It consists of the number of
// the game in Games, which is public, and a proof, so it needs no table. The proof depends
// on the time, because another game may have had the same number.
func (l *JSONLobby) id(e *warzonegames.Entry) string {
	number := binary.BigEndian.AppendUint32(nil, e.ID)
	return hex.EncodeToString(append(number, l.proof(e)...))
}

// macSize is the size of a proof, in bytes.
const macSize = 16

// proof returns a keyed hash of what identifies a game.
func (l *JSONLobby) proof(e *warzonegames.Entry) []byte {
	h := hmac.New(sha256.New, l.key)
	h.Write(binary.BigEndian.AppendUint32(nil, e.ID))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(e.Opened.UnixNano())))
	return h.Sum(nil)[:macSize]
}
