package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Status answers [StatusRequest]. It is a line of text:
//
//	0;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;version;1.10;gamename;serioussamse;sessionname;Awesome Server
//
// Nothing is escaped, so only the session name, which is last, may hold a
// semicolon. Text is in the code page of the server's host.
type Status struct {
	Players     int    // on the server now, from 0
	MaxPlayers  int    // it takes
	Level       string // as it is displayed
	GameType    string // "Cooperative", "Scorematch", "Fragmatch", "Flyover" or "", translated
	Version     string // of the engine, as "1.10"
	GameName    string // "serioussamse", "serioussamfe", "serioussam" or a mod's
	SessionName string // may hold format codes: ^ and a letter
	Extra       []Pair // what has no place above: unknown keys, second values, numbers that are none

	// Cut tells that the packet has 255 bytes, at which old builds for Linux
	// cut it: the last value may lack its end and what follows it is missing.
	// It tells of the packet that was read; encoding ignores it.
	Cut bool
}

const sessionKey = "sessionname"

// ParseStatus reads a [Status]. Keys may come in any order and may be missing;
// the one that ends the packet may lack its value.
func ParseStatus(b []byte) (Status, error) { return Options{}.ParseStatus(b) }

// ParseStatus reads a [Status].
func (o Options) ParseStatus(b []byte) (Status, error) {
	r := wire.NewReader(b)
	var m Status
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Status{}, err
	}
	return m, nil
}

// ExplainStatus accounts for every byte of a [Status].
func ExplainStatus(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Status", b, func(r *wire.Reader) { new(Status).decode(r, Options{}) })
}

func (m *Status) decode(r *wire.Reader, o Options) {
	m.Cut = r.Len() == cutStatus
	fields := m.fields()
	m.Extra = decodeLine(r, o, statusKeys[:], fields[:], true)
}

// statusKeys are in the order in which the engine sends them.
var statusKeys = [...]key{
	{"players", "players"},
	{"maxplayers", "maxPlayers"},
	{"level", "level"},
	{"gametype", "gameType"},
	{"version", "version"},
	{"gamename", "gameName"},
	{sessionKey, "sessionName"},
}

// fields are in the order of statusKeys.
func (m *Status) fields() [7]any {
	return [...]any{
		&m.Players, &m.MaxPlayers, &m.Level, &m.GameType, &m.Version,
		&m.GameName, &m.SessionName,
	}
}

// AppendBinary appends the wire form to b: the keys in the engine's order, with
// Extra before the session name. It refuses numbers below 0 or above 2147483647,
// zero bytes, semicolons outside of the session name, and more than [MaxPacket]
// bytes.
func (m Status) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(typeLine)
	fields := m.fields()
	for i, k := range statusKeys[:len(statusKeys)-1] {
		appendField(&w, semi, k, fields[i], m.Extra)
	}
	appendExtra(&w, semi, m.Extra, func(key string) bool { return key == sessionKey })
	if strings.IndexByte(m.SessionName, 0) >= 0 {
		w.Fail(lobbywire.ErrInvalid, "sessionName")
	}
	w.TextAfter(semi, sessionKey)
	w.TextAfter(semi, m.SessionName)
	appendEnd(&w, MaxPacket)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Status) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseStatus] does.
func (m *Status) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseStatus(b)
	return err
}
