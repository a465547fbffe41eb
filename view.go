package lobbywire

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A View describes a game server for players, in the same form for all protocols. Each
// message and list entry that describes a server has a method View, whose comment gives
// the source of each field.
//
// If the protocol or the server does not give a value, a pointer or slice is nil
// and a text is "". Texts are converted to valid UTF-8, see [UTF8]. Otherwise
// they are as the server sent them, so they may contain colour codes and control
// characters.
//
// Package encoding/json omits what is unknown. Except for Port, the number 0 is
// a known value, as are false and an empty list.
type View struct {
	Name    string `json:"name,omitzero"`    // of the server
	Game    string `json:"game,omitzero"`    // the game's name in the protocol, such as "battlefield2"
	Map     string `json:"map,omitzero"`     // file name or title
	Mode    string `json:"mode,omitzero"`    // kind of game, such as "ctf"
	Version string `json:"version,omitzero"` // of the game

	// Host and Port are where players join. An empty Host means the host that
	// answered the query, and a Port of 0 is unknown. Both are claims of the
	// server: see [View.Address] before you connect.
	Host string `json:"host,omitzero"` // IP address or host name
	Port uint16 `json:"port,omitzero"`

	Players  *int  `json:"players,omitzero"`  // on the server now
	Bots     *int  `json:"bots,omitzero"`     // players that are programs; some servers also count them in Players
	Max      *int  `json:"max,omitzero"`      // maximum number of players
	Password *bool `json:"password,omitzero"` // whether players need a password to join

	// Roster lists the players. It may be shorter than Players, because not
	// every server lists them all.
	Roster []Player `json:"roster,omitzero"`
	Teams  []Team   `json:"teams,omitzero"`

	// Rules are settings and other facts, with their names in the protocol, in the
	// order of the wire. In protocols that consist of keys and values, Rules has
	// all of them, including those that set other fields.
	Rules []Rule `json:"rules,omitzero"`
}

// A Player is a player in a View. Unknown fields are as in View.
type Player struct {
	Name  string `json:"name,omitzero"`
	Score *int   `json:"score,omitzero"` // points or kills
	Ping  *int   `json:"ping,omitzero"`  // milliseconds
	Team  string `json:"team,omitzero"`  // name or number, as the server sent it
	Bot   *bool  `json:"bot,omitzero"`   // whether the player is a program
}

// A Team is a team in a View. Unknown fields are as in View.
type Team struct {
	Name  string `json:"name,omitzero"`
	Score *int   `json:"score,omitzero"`
}

// A Rule is an entry of [View.Rules].
type Rule struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Address returns where players join, as host:port or [IPv6]:port. If View.Host is
// empty, the argument is used: the host that answered the query. Address is "" if
// the host or the port is unknown.
//
// View.Host is a claim of the server, so it may be in another network or not be a
// host at all: check it before you connect.
func (v View) Address(host string) string {
	host = cmp.Or(v.Host, host)
	if host == "" || v.Port == 0 {
		return ""
	}
	if strings.IndexByte(host, ':') >= 0 {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(v.Port))
}

// Counts returns Players and Max as SetView of all servers reports them, also for a View
// that cannot be right. A number that is unknown or negative is 0, and Players is at least
// the length of Roster. Players may exceed Max: 41 players of 16 stay 41 of 16.
func (v View) Counts() (players, places int) {
	if v.Players != nil {
		players = *v.Players
	}
	if v.Max != nil {
		places = *v.Max
	}
	return max(players, len(v.Roster)), max(places, 0)
}

// Count returns n in the form of the numbers of a View. It returns nil, unknown,
// if n is negative or above 2147483647, because such a count cannot be right.
func Count(n int64) *int {
	if n < 0 || n > math.MaxInt32 {
		return nil
	}
	return new(int(n))
}

// Number parses a text as a number of a View. It returns nil, unknown, unless the
// text is a decimal number of 32 bits, with or without blanks around it. It drops
// fractions, because some games send 12.0 for 12.
func Number(text string) *int {
	whole, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return nil
	}
	return new(int(n))
}

// UTF8 converts s to valid UTF-8. If s contains valid UTF-8 sequences beyond
// ASCII, it is taken as damaged UTF-8, and U+FFFD replaces the invalid bytes.
// Otherwise invalid text is taken as Latin-1, one character for each byte.
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
