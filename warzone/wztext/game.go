package wztext

import (
	"math"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Status is what a game is doing, one word in lower case. The proposal shows
// two; others are kept.
type Status string

// The statuses.
const (
	StatusOpen    Status = "open"    // can be joined
	StatusStarted Status = "started" // is being played
)

// A Game is one row of a [GameList].
//
//	ip TAB port TAB name TAB map TAB maxPlayers TAB status LF
type Game struct {
	IP         netip.Addr // IPv4 or IPv6, as the lobby saw it; sent without brackets
	Port       uint16     // TCP, not 0
	Name       string     // may be empty
	Map        string     // may be empty
	MaxPlayers uint32     // how many players there are is not told
	Status     Status
}

// minGame is the size of the smallest row: an ip of two bytes, two digits and
// six separators.
const minGame = 10

// ParseGame reads a [Game].
func ParseGame(b []byte) (Game, error) { return Options{}.ParseGame(b) }

// ParseGame reads a [Game].
func (o Options) ParseGame(b []byte) (Game, error) {
	r := wire.NewReader(b)
	var m Game
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Game{}, err
	}
	return m, nil
}

// ExplainGame accounts for every byte of a [Game].
func ExplainGame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Game", b, func(r *wire.Reader) { new(Game).decode(r, Options{}) })
}

func (m *Game) decode(r *wire.Reader, o Options) {
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *Game) read(l *line) {
	m.IP = l.ip()
	m.Port = l.port()
	m.Name = l.text("name")
	m.Map = l.text("map")
	m.MaxPlayers = l.number("maxPlayers", 0, math.MaxUint32)
	m.Status = l.status()
	l.end()
}

// ip reads a column that is an IP address.
func (l *line) ip() netip.Addr {
	at := l.r.Offset()
	s := l.text("ip")
	ip, err := netip.ParseAddr(s)
	if err != nil || l.o.Strict && ip.String() != s {
		l.r.Fail(lobbywire.ErrInvalid, "ip", at)
	}
	return ip
}

// status reads a column that is a status, in lower case.
func (l *line) status() Status {
	at := l.r.Offset()
	s := Status(l.text("status"))
	if l.o.Strict && !s.valid() {
		l.r.Fail(lobbywire.ErrInvalid, "status", at)
	}
	return s.lower()
}

// valid tells whether s is one word in lower case, of ASCII characters.
func (s Status) valid() bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || 'A' <= s[i] && s[i] <= 'Z' {
			return false
		}
	}
	return s != ""
}

// lower returns s with ASCII letters in lower case and all else as it is.
func (s Status) lower() Status {
	if strings.IndexFunc(string(s), isUpper) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if isUpper(rune(c)) {
			b[i] = c + ('a' - 'A')
		}
	}
	return Status(b)
}

func isUpper(c rune) bool { return 'A' <= c && c <= 'Z' }

// AppendBinary appends the wire form to b. It fails if IP is the zero Addr,
// Port is 0, Name or Map is no column, Status is not one word in lower case, or
// the line is too long.
func (m Game) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w)
	return w.Finish(proto)
}

func (m *Game) append(w *wire.Writer) {
	start := w.Len()
	if !m.IP.IsValid() || !isText(m.IP.Zone()) {
		w.Fail(lobbywire.ErrInvalid, "ip")
	}
	w.Addr(m.IP)
	appendPort(w, m.Port)
	appendText(w, "name", m.Name)
	appendText(w, "map", m.Map)
	appendNumber(w, m.MaxPlayers)
	if !m.Status.valid() {
		w.Fail(lobbywire.ErrInvalid, "status")
	}
	w.TextAfter('\t', string(m.Status))
	appendEnd(w, start)
}

// MarshalBinary returns the wire form.
func (m Game) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseGame] does.
func (m *Game) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseGame(b)
	return err
}
