package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyListRequest asks a legacy master for its servers, after a
// [LegacyGreeting]. It is one line, broken here at the end of its first part:
//
//	\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1
//	\list\cmp\gamename\serioussamse\gamever\1.05\final\
type LegacyListRequest struct {
	GameName    string // first gamename: the game whose key the client has
	EncType     int    // encoding of the answer: 0 is none, the only one here
	Validate    string // by LegacyValidate
	QueryID     string // "1.1"
	List        string // form of the answer: "cmp" is that of LegacyServerList
	ListName    string // second gamename: the game whose servers are asked for
	GameVersion string // "1.05", whatever the version
	Extra       []Pair // other keys, as a filter; sent before the end
}

// ParseLegacyListRequest reads a [LegacyListRequest]. While a stream does not
// hold the end of its second part yet the error is [lobbywire.ErrTruncated].
// More than [MaxLegacyLine] bytes are refused.
func ParseLegacyListRequest(b []byte) (LegacyListRequest, error) {
	r := wire.NewReader(b)
	var m LegacyListRequest
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return LegacyListRequest{}, err
	}
	return m, nil
}

// ExplainLegacyListRequest accounts for every byte of a [LegacyListRequest].
func ExplainLegacyListRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyListRequest", b, func(r *wire.Reader) { new(LegacyListRequest).decode(r) })
}

func (m *LegacyListRequest) decode(r *wire.Reader) {
	if r.Len() > MaxLegacyLine {
		r.Fail(lobbywire.ErrTooLarge, "", 0)
	}
	decodeLiteral(r, `\`, "separator")
	fields := m.fields()
	second := false
	for !r.Failed() {
		r.In("", -1)
		key := decodeUntil(r, slash, "key")
		if key == finalKey && second {
			r.End()
			return
		}
		i := find(legacyListKeys[:], key, 0)
		name := "value"
		switch {
		case key == finalKey:
			second = true
			name = finalKey
		case key == gameNameKey && second:
			i = secondPart + 1
			name = legacyListKeys[i].name
		case i >= 0:
			name = legacyListKeys[i].name
		default:
			r.In("extra", len(m.Extra))
		}
		at := r.Offset()
		value := decodeUntil(r, slash, name)
		switch {
		case key == finalKey && value != "":
			r.Fail(lobbywire.ErrInvalid, finalKey, at)
		case key == finalKey, i >= 0 && set(fields[i], value):
		default:
			m.Extra = append(m.Extra, Pair{key, value})
		}
	}
}

const (
	gameNameKey = "gamename"

	// secondPart is the first field of the second part.
	secondPart = 4
)

// legacyListKeys are in the order in which the engine sends them.
var legacyListKeys = [...]key{
	{gameNameKey, "gameName"},
	{"enctype", "encType"},
	{"validate", "validate"},
	{queryIDKey, "queryId"},
	{"list", "list"},
	{gameNameKey, "listName"},
	{"gamever", "gameVersion"},
}

// fields are in the order of legacyListKeys.
func (m *LegacyListRequest) fields() [7]any {
	return [...]any{
		&m.GameName, &m.EncType, &m.Validate, &m.QueryID,
		&m.List, &m.ListName, &m.GameVersion,
	}
}

// AppendBinary appends the wire form to b. It refuses backslashes, zero bytes,
// an EncType below 0 or above 2147483647, and more than [MaxLegacyLine] bytes.
func (m LegacyListRequest) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	fields := m.fields()
	for i, k := range legacyListKeys {
		if i == secondPart-1 {
			w.Text(legacyEnd)
		}
		appendField(&w, slash, k, fields[i], m.Extra)
	}
	appendExtra(&w, slash, m.Extra, func(key string) bool { return key == finalKey || key == gameNameKey })
	w.Text(legacyEnd)
	appendEnd(&w, MaxLegacyLine)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m LegacyListRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyListRequest] does.
func (m *LegacyListRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyListRequest(b)
	return err
}
