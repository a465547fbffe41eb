package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A SyncRequest requests the servers of a master for another master, in
// answer to a [Greeting]. It is one line of two parts, shown here on
// two lines. The second part has no end mark.
//
//	\gamename\333networks\gamever\0.28\validate\zbGgINC8\final\
//	\sync\all\msid\ABCDEF
//
//wire:message ToListPort
type SyncRequest struct {
	GameName    string `wire:"gameName,key=gamename"`   // of masters: MasterGame
	GameVersion string `wire:"gameVersion,key=gamever"` // of the master
	Validate    string `wire:"validate,key"`            // from Validate
	QueryID     string `wire:"queryId,key=queryid"`     // the first one; "" if there is none
	Sync        string `wire:"sync,key"`                // names of games with blanks between them, or SyncAll
	// identifies the sender, so that a master recognizes its own request
	MasterID string `wire:"masterId,key=msid"`
	Extra    []Pair // other pairs of the first part
}

// Values of a SyncRequest.
const (
	MasterGame = "333networks" // GameName of masters
	SyncAll    = "all"         // Sync for all games
)

// Indexes in syncRequestKeys.
const (
	syncKey     = 4
	masterIDKey = 5
)

// decode needs both parts up to the key msid. The value of msid has no end mark: in a
// stream, more bytes may follow. If a stream does not contain that key yet, the error is
// [lobbywire.ErrTruncated]. It ignores other pairs of the second part, and bytes after the
// value of msid; with Options.Strict it refuses the latter. More than [MaxLine] bytes are
// refused.
func (m *SyncRequest) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLine {
		r.Exceed("", 0, r.Len(), MaxLine)
	}
	pairs.DecodeLiteral(r, `\`, "separator")
	keys, fields := syncRequestKeys[:], m.fields()
	decodeRequestPart(r, keys[:syncKey], fields[:], 0, &m.Extra)
	for !r.Failed() {
		switch key := r.TextBefore(slash, "key"); key {
		case "":
		case keys[syncKey].Wire:
			m.Sync = r.TextBefore(slash, keys[syncKey].Name)
		case keys[masterIDKey].Wire:
			m.MasterID, _ = r.TextUntil(slash, keys[masterIDKey].Name)
			decodeEnd(r, o)
			return
		default:
			r.TextBefore(slash, "ignored")
		}
	}
}

// append fails if a text contains a backslash or a zero byte, if Extra holds a key
// that decoding does not put there, or if the message is longer than [MaxLine]
// bytes.
func (m *SyncRequest) append(w *wire.Writer) {
	keys, fields := syncRequestKeys[:], m.fields()
	pairs.AppendFields(w, slash, keys[:syncKey], fields[:])
	pairs.AppendExtra(w, slash, m.Extra, func(p Pair) bool {
		return p.Key == "" || p.Key == finalKey || pairs.HasField(keys[:syncKey], fields[:], p.Key, p.Value)
	})
	w.Text(endMark)
	pairs.AppendFields(w, slash, keys[syncKey:], fields[syncKey:])
	pairs.AppendEnd(w, MaxLine)
}
