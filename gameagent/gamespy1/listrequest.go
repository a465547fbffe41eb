package gamespy1

import (
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListRequest requests the servers of a master, in answer to a
// [Greeting]. It is one line of two parts, shown here on two lines. Clients
// send them at once or one after the other.
//
//	\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1
//	\list\cmp\gamename\serioussamse\gamever\1.05\final\
//
//wire:message ToListPort
type ListRequest struct {
	GameName string `wire:"gameName,key=gamename"` // first gamename: the game whose key the client knows
	EncType  int    `wire:"encType,key=enctype"`   // encryption of the answer; 0, the only supported one, is none
	Validate string `wire:"validate,key"`          // from Validate
	QueryID  string `wire:"queryId,key=queryid"`   // "1.1"
	// form of the answer: ListCompact for ServerList, other texts for AddressList
	List        string `wire:"list,key"`
	ListName    string `wire:"listName,key=gamename"` // second gamename: the game whose servers to list
	GameVersion string `wire:"gameVersion,key=gamever"`
	Extra       []Pair // other keys, such as a filter; sent before the end
}

// ListCompact is the List of a ListRequest for a [ServerList].
const ListCompact = "cmp"

// Indexes in listRequestKeys.
const (
	afterFirstEnd = 3 // queryid, which follows the end of the first part
	secondName    = 5 // the gamename of the second part
)

// decode needs both parts. Blanks and a doubled backslash may separate them. It ignores
// bytes after the end; with Options.Strict it refuses them. If a stream does not contain
// the end of the second part yet, the error is [lobbywire.ErrTruncated]. More than
// [MaxLine] bytes are refused.
func (m *ListRequest) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLine {
		r.Exceed("", 0, r.Len(), MaxLine)
	}
	pairs.DecodeLiteral(r, `\`, "separator")
	keys, fields := listRequestKeys[:], m.fields()
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
	var numbers pairs.Memory
	for !r.Failed() {
		r.In("", -1)
		key := r.TextBefore(slash, "key")
		switch key {
		case finalKey:
			return
		case "":
			continue
		}
		i := pairs.Find(keys, key, start)
		if i < 0 {
			r.In("extra", len(*extra))
		}
		if value := r.TextBefore(slash, pairs.NameOf(keys, i, "value")); i < 0 || !numbers.Set(fields[i], value, r.Len()) {
			*extra = append(pairs.Room(*extra, r.Len()), Pair{Key: key, Value: value})
		}
	}
}

// append fails if a text contains a backslash or a zero byte, if EncType is
// below 0 or above 2147483647, if Extra holds a key that decoding does not put
// there, or if the message is longer than [MaxLine] bytes.
func (m *ListRequest) append(w *wire.Writer) {
	keys, fields := listRequestKeys[:], m.fields()
	pairs.AppendFields(w, slash, keys[:afterFirstEnd], fields[:])
	w.Text(endMark)
	pairs.AppendFields(w, slash, keys[afterFirstEnd:], fields[afterFirstEnd:])
	pairs.AppendExtra(w, slash, m.Extra, func(p Pair) bool {
		return p.Key == "" || p.Key == finalKey || p.Key == keys[secondName].Wire ||
			pairs.HasField(keys, fields[:], p.Key, p.Value)
	})
	w.Text(endMark)
	pairs.AppendEnd(w, MaxLine)
}
