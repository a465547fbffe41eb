package wzjson

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// extras are members that are not known, verbatim.
type extras = map[string]json.RawMessage

// The members of the two objects around a query.
var (
	rootMembers     = [...]string{"lobbyquery"}
	envelopeMembers = [...]string{"version", "query"}
)

// How many members of a query have to be there.
const (
	commandOnly = 1 // command
	withID      = 2 // command and id
)

// An envelope reads what is around the query of a message.
type envelope struct {
	j           *wire.JSON
	root, inner wire.Object
}

// openEnvelope starts reading a message.
func openEnvelope(r *wire.Reader, j *wire.JSON, o Options, envelopeExtra, rootExtra *extras) envelope {
	if r.Len() > o.maxFrame() {
		r.Fail(lobbywire.ErrTooLarge, "", r.Offset())
	}
	root := j.Object(rootMembers[:], len(rootMembers), rootExtra)
	root.Next()
	inner := j.Object(envelopeMembers[:], len(envelopeMembers), envelopeExtra)
	return envelope{j, root, inner}
}

// query goes to the query and tells whether there is one. If not, the message
// has been read.
func (e *envelope) query() bool {
	for e.inner.Next() {
		if e.inner.Name() == "query" {
			return true
		}
		if e.j.Int(math.MinInt64, math.MaxInt64, true) != Version {
			e.j.Fail(lobbywire.ErrUnsupported)
		}
	}
	e.root.Next()
	e.j.End()
	return false
}

// decodeCommand reads the command and refuses all but want.
func decodeCommand(j *wire.JSON, want string) {
	if string(j.View()) != want {
		j.Invalid()
	}
}

// appendStart appends what is in front of the members of a query but the
// command.
func appendStart(w *wire.Writer, command string) {
	w.Text(`{"lobbyquery":{"version":1,"query":{"command":`)
	w.In("lobbyquery.query", -1)
	w.JSONText("command", command)
}

// finish appends the end of a message after the members of its query.
func finish(w *wire.Writer, envelopeExtra, rootExtra extras) ([]byte, error) {
	w.Text(`}`)
	w.In("lobbyquery", -1)
	w.JSONExtra(envelopeExtra, envelopeMembers[:])
	w.Text(`}`)
	w.In("", -1)
	w.JSONExtra(rootExtra, rootMembers[:])
	w.Text(`}`)
	if w.Len() > MaxFrame {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
	return w.Finish(proto)
}

// required returns how many of the members of a query have to be there: all if
// Strict, else the first needed.
func (o Options) required(needed, all int) int {
	if o.Strict {
		return all
	}
	return needed
}

// decodeID reads the id of a game.
func decodeID(j *wire.JSON) string {
	id := j.Text()
	switch {
	case id == "":
		j.Invalid()
	case len(id) > MaxID:
		j.Fail(lobbywire.ErrTooLarge)
	}
	return id
}

func appendID(w *wire.Writer, id string) {
	switch {
	case id == "":
		w.Fail(lobbywire.ErrInvalid, "id")
	case len(id) > MaxID:
		w.Fail(lobbywire.ErrTooLarge, "id")
	}
	appendText(w, "id", id)
}

// decodePlayers reads a number of players.
func decodePlayers(j *wire.JSON) int { return int(j.Int(1, math.MaxInt32, true)) }

func appendPlayers(w *wire.Writer, n int) {
	if n < 1 || n > math.MaxInt32 {
		w.Fail(lobbywire.ErrInvalid, "players")
	}
	w.JSONName("players")
	w.Int(int64(n))
}
