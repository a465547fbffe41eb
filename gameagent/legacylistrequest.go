package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyListRequest requests the servers of a legacy master, in answer to a
// [LegacyGreeting]. It is one line of two parts, shown here on two lines. Clients
// send them at once or one after the other.
//
//	\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1
//	\list\cmp\gamename\serioussamse\gamever\1.05\final\
//
//wire:message ToListPort
type LegacyListRequest struct {
	GameName string `wire:"gameName,key=gamename"` // first gamename: the game whose key the client has
	EncType  int    `wire:"encType,key=enctype"`   // encryption of the answer; 0, the only supported one, is none
	Validate string `wire:"validate,key"`          // from LegacyValidate
	QueryID  string `wire:"queryId,key=queryid"`   // "1.1"
	// form of the answer: LegacyListCompact for LegacyServerList, other texts for LegacyAddressList
	List        string `wire:"list,key"`
	ListName    string `wire:"listName,key=gamename"` // second gamename: the game whose servers to list
	GameVersion string `wire:"gameVersion,key=gamever"`
	Extra       []Pair // other keys, such as a filter; sent before the end
}

// LegacyListCompact is the List of a LegacyListRequest for a [LegacyServerList].
const LegacyListCompact = "cmp"

// Indexes in legacyListRequestKeys.
const (
	afterFirstEnd = 3 // queryid, which follows the end of the first part
	secondName    = 5 // the gamename of the second part
)

// decode needs both parts. A backslash may be doubled between them, and blanks may be there.
// It ignores bytes after the end; with Options.Strict it refuses them. If a stream does not contain
// the end of the second part yet, the error is [lobbywire.ErrTruncated]. More than
// [MaxLegacyLine] bytes are refused.
func (m *LegacyListRequest) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLegacyLine {
		r.Exceed("", 0, r.Len(), MaxLegacyLine)
	}
	decodeLiteral(r, `\`, "separator")
	keys, fields := legacyListRequestKeys[:], m.fields()
	decodeRequestPart(r, keys, fields[:], 0, &m.Extra)
	at := r.Offset()
	if strings.Trim(r.TextBefore(slash, finalKey), blanks) != "" {
		r.Refuse(finalKey, at, "has a value")
	}
	decodeRequestPart(r, keys, fields[:], secondName, &m.Extra)
	decodeEnd(r, o)
}

// decodeRequestPart reads the pairs of a part of a request up to the key of its end
// mark. The search for keys begins at start.
func decodeRequestPart(r *wire.Reader, keys []key, fields []any, start int, extra *[]Pair) {
	var numbers memory
	for !r.Failed() {
		r.In("", -1)
		key := r.TextBefore(slash, "key")
		switch key {
		case finalKey:
			return
		case "":
			continue
		}
		i := find(keys, key, start)
		if i < 0 {
			r.In("extra", len(*extra))
		}
		if value := r.TextBefore(slash, nameOf(keys, i, "value")); i < 0 || !numbers.set(fields[i], value, r.Len()) {
			*extra = append(room(*extra, r.Len()), Pair{key, value})
		}
	}
}

// append fails if a text contains a backslash or a zero byte, if EncType is
// below 0 or above 2147483647, if Extra holds a key that decoding does not put
// there, or if the message is longer than [MaxLegacyLine] bytes.
func (m *LegacyListRequest) append(w *wire.Writer) {
	keys, fields := legacyListRequestKeys[:], m.fields()
	appendFields(w, slash, keys[:afterFirstEnd], fields[:])
	w.Text(legacyEnd)
	appendFields(w, slash, keys[afterFirstEnd:], fields[afterFirstEnd:])
	appendExtra(w, slash, m.Extra, func(p Pair) bool {
		return p.Key == "" || p.Key == finalKey || p.Key == keys[secondName].wire || hasField(keys, fields[:], p)
	})
	w.Text(legacyEnd)
	appendEnd(w, MaxLegacyLine)
}
