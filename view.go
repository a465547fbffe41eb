package lobbywire

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A View is what a player wants to know of a game server, in one form for all
// protocols. Each message and list entry that describes a server has a method
// View, whose comment says which field comes from where.
//
// A pointer or slice is nil, and a text is "", if the protocol or the server does
// not tell. Texts are valid UTF-8, see [UTF8], and otherwise as the server sent
// them: they may have colour codes and control characters.
//
// port, players, bots, max, password, roster, teams and rules, in this order. It
// leaves out what is unknown; 0, false and an empty list are known.
type View struct {
	Name    string `json:"name,omitzero"`    // of the server
	Game    string `json:"game,omitzero"`    // such as "battlefield2", by the names of the protocol
	Map     string `json:"map,omitzero"`     // file name or title
	Mode    string `json:"mode,omitzero"`    // rules of the game, such as "ctf"
	Version string `json:"version,omitzero"` // of the game

	// Host and Port are where players join. An empty Host is the host that
	// answered the query, and a Port of 0 is unknown. Unlike other texts, they
	// are claims that a program acts on: see [View.Address].
	Host string `json:"host,omitzero"` // IP address or host name
	Port uint16 `json:"port,omitzero"`

	Players  *int  `json:"players,omitzero"`  // on the server now
	Bots     *int  `json:"bots,omitzero"`     // programs that play; some servers count them in Players, too
	Max      *int  `json:"max,omitzero"`      // places for players
	Password *bool `json:"password,omitzero"` // whether players need a password to join

	// Roster may have fewer players than Players says, because not every server
	// lists them all.
	Roster []Player `json:"roster,omitzero"`
	Teams  []Team   `json:"teams,omitzero"`

	// Rules are settings and other facts under their names in the protocol, in the
	// order of the wire. In protocols that consist of keys and values, they
	// include those that other fields have.
	Rules []Rule `json:"rules,omitzero"`
}

// A Player is what a View knows of a player. Unknown fields are as in View.
type Player struct {
	Name  string `json:"name,omitzero"`
	Score *int   `json:"score,omitzero"` // points or kills
	Ping  *int   `json:"ping,omitzero"`  // milliseconds
	Team  string `json:"team,omitzero"`  // name or number, as the server sent it
	Bot   *bool  `json:"bot,omitzero"`   // whether a program plays
}

// A Team is what a View knows of a team. Unknown fields are as in View.
type Team struct {
	Name  string `json:"name,omitzero"`
	Score *int   `json:"score,omitzero"`
}

// A Rule is a name and a value of [View.Rules].
type Rule struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Address returns where players join, as host:port or [IPv6]:port. If View.Host is
// empty, host takes its place: that which answered the query. Address is "" if the
// host or the port is unknown.
//
// Host is what the server or its host claims, so it may be of another network, or
// no host at all: check it before you connect.
func (v View) Address(host string) string {
	if v.Host != "" {
		host = v.Host
	}
	if host == "" || v.Port == 0 {
		return ""
	}
	if strings.IndexByte(host, ':') >= 0 {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(v.Port))
}

// Counts returns Players and Max with 0 for what is unknown, but at least as many
// players as Roster has.
func (v View) Counts() (players, places int) {
	if v.Players != nil {
		players = *v.Players
	}
	if v.Max != nil {
		places = *v.Max
	}
	return max(players, len(v.Roster)), places
}

// Count returns n as a View has numbers: nil if n is below 0 or above 2147483647,
// which no server has.
func Count(n int64) *int {
	if n < 0 || n > math.MaxInt32 {
		return nil
	}
	return new(int(n))
}

// Number returns the number in a text, as a View has numbers: nil unless the text
// is a decimal number of 32 bits, perhaps with blanks around it. Fractions are
// dropped, because some games send 12.0 for 12.
func Number(text string) *int {
	whole, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return nil
	}
	return new(int(n))
}

// UTF8 returns s as valid UTF-8. A text that is not is Latin-1, one character for
// each byte; but if some characters of it beyond ASCII are UTF-8, it is UTF-8 that
// was cut or damaged, and U+FFFD stands for the rest.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if n > 1 {
			return strings.ToValidUTF8(s, string(utf8.RuneError))
		}
		i += n
	}
	return fromLatin1(s)
}
