package wzbin

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

// A Game is one frame of a [GameList].
//
//	06 size ip port name map maxPlayers status
type Game struct {
	IP         netip.Addr // IPv4 or IPv6, as the lobby saw it; sent without brackets
	Port       uint16     // TCP, not 0
	Name       string     // may be empty
	Map        string     // may be empty
	MaxPlayers uint32     // how many players there are is not told
	Status     Status
}

// minGame is the size of the smallest frame of a game: a header, six sizes, an
// ip of two bytes and two digits.
const minGame = 12

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
	m.read(r, o)
	r.End()
}

func (m *Game) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandGame)
	m.IP = f.ip()
	m.Port = f.port()
	m.Name = f.text("name")
	m.Map = f.text("map")
	m.MaxPlayers = f.number("maxPlayers", 0, math.MaxUint32)
	m.Status = f.status()
	f.end()
}

// ip reads a payload that is an IP address.
func (m *message) ip() netip.Addr {
	at := m.r.Offset()
	s := m.text("ip")
	ip, err := netip.ParseAddr(s)
	if err != nil || m.o.Strict && ip.String() != s {
		m.r.Fail(lobbywire.ErrInvalid, "ip", at)
	}
	return ip
}

// status reads a payload that is a status, in lower case.
func (m *message) status() Status {
	at := m.r.Offset()
	s := Status(m.text("status"))
	if m.o.Strict && !s.valid() {
		m.r.Fail(lobbywire.ErrInvalid, "status", at)
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
// Port is 0, Name or Map is not text, Status is not one word in lower case, or
// they are too long.
func (m Game) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w)
	return w.Finish(proto)
}

func (m *Game) append(w *wire.Writer) {
	at := appendHeader(w, CommandGame)
	if !m.IP.IsValid() || !isText(m.IP.Zone()) {
		w.Fail(lobbywire.ErrInvalid, "ip")
	}
	ipAt := w.Size8()
	w.Addr(m.IP)
	w.SetSize8(ipAt, "ip")
	appendPort(w, m.Port)
	appendText(w, "name", m.Name)
	appendText(w, "map", m.Map)
	appendNumber(w, m.MaxPlayers)
	if !m.Status.valid() {
		w.Fail(lobbywire.ErrInvalid, "status")
	}
	appendText(w, "status", string(m.Status))
	w.SetSize8(at, "size")
}

// MarshalBinary returns the wire form.
func (m Game) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseGame] does.
func (m *Game) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseGame(b)
	return err
}
