package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacySyncRequest requests the servers of a legacy master for another master, in
// answer to a [LegacyGreeting]. It is one line of two parts, shown here on
// two lines. The second part has no end mark.
//
//	\gamename\333networks\gamever\0.28\validate\zbGgINC8\final\
//	\sync\all\msid\ABCDEF
//
//wire:message ToListPort
type LegacySyncRequest struct {
	GameName    string `wire:"gameName,key=gamename"`   // of masters: LegacyMasterGame
	GameVersion string `wire:"gameVersion,key=gamever"` // of the master
	Validate    string `wire:"validate,key"`            // from LegacyValidate
	QueryID     string `wire:"queryId,key=queryid"`     // the first one; "" if there is none
	Sync        string `wire:"sync,key"`                // names of games with blanks between them, or LegacySyncAll
	// identifies the sender, so that a master recognizes its own request
	MasterID string `wire:"masterId,key=msid"`
	Extra    []Pair // other pairs of the first part
}

// Values of a LegacySyncRequest.
const (
	LegacyMasterGame = "333networks" // GameName of masters
	LegacySyncAll    = "all"         // Sync for all games
)

// Indexes in legacySyncRequestKeys.
const (
	syncKey     = 4
	masterIDKey = 5
)

// decode needs both parts up to the key msid. The value of that has no end: in a
// stream it may have more bytes. If a stream does not contain as much yet, the error
// is [lobbywire.ErrTruncated]. It ignores other pairs of the second part, and bytes
// after the value of msid; with Options.Strict it refuses the latter. More than
// [MaxLegacyLine] bytes are refused.
func (m *LegacySyncRequest) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLegacyLine {
		r.Exceed("", 0, r.Len(), MaxLegacyLine)
	}
	decodeLiteral(r, `\`, "separator")
	keys, fields := legacySyncRequestKeys[:], m.fields()
	decodeRequestPart(r, keys[:syncKey], fields[:], 0, &m.Extra)
	for !r.Failed() {
		switch key := r.TextBefore(slash, "key"); key {
		case "":
		case keys[syncKey].wire:
			m.Sync = r.TextBefore(slash, keys[syncKey].name)
		case keys[masterIDKey].wire:
			m.MasterID, _ = r.TextUntil(slash, keys[masterIDKey].name)
			decodeEnd(r, o)
			return
		default:
			r.TextBefore(slash, "ignored")
		}
	}
}

// append fails if a text contains a backslash or a zero byte, if Extra holds a key
// that decoding does not put there, or if the message is longer than [MaxLegacyLine]
// bytes.
func (m *LegacySyncRequest) append(w *wire.Writer) {
	keys, fields := legacySyncRequestKeys[:], m.fields()
	appendFields(w, slash, keys[:syncKey], fields[:])
	appendExtra(w, slash, m.Extra, func(p Pair) bool {
		return p.Key == "" || p.Key == finalKey || hasField(keys[:syncKey], fields[:], p)
	})
	w.Text(legacyEnd)
	appendFields(w, slash, keys[syncKey:], fields[syncKey:])
	appendEnd(w, MaxLegacyLine)
}
