package lobbywire

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A View describes a game server for players, in the same form for all protocols. Each
// message and list entry that describes a server has a method View, which documents the
// source of each field.
//
// If the protocol or the server does not give a value, a pointer or slice is nil and a text
// is "". Texts are converted to valid UTF-8, see [UTF8]. Otherwise they are unchanged, so
// they may contain colour codes and control characters.
//
// A number sent as text may have surrounding blanks, leading zeros and a fraction of zeros:
// games send " 152", "08" and "12.00". A flag is such a number, with 0 for false, or one of
// true, yes, on, t and y, or of false, no, off, f and n, in any case. Numbers and flags in
// other forms are unknown.
//
// Package encoding/json omits unknown values. The number 0, except as Port, false and an
// empty list are known values.
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

	// Rules are settings and other facts, with their names in the protocol, in the order of
	// the wire. In protocols of keys and values, Rules contains all pairs, including those
	// that set other fields.
	Rules []Rule `json:"rules,omitzero"`

	Mods       []string `json:"mods,omitzero"`       // changes of the game that players need
	Spectators *int     `json:"spectators,omitzero"` // on the server now; some servers also count them in Players

	// MaxSpectators is the maximum number of spectators.
	MaxSpectators *int `json:"maxSpectators,omitzero"`
}

// A Player is a player in a View. Unknown fields are as in View.
type Player struct {
	Name  string `json:"name,omitzero"`
	Score *int   `json:"score,omitzero"` // points or kills
	Ping  *int   `json:"ping,omitzero"`  // milliseconds
	Team  string `json:"team,omitzero"`  // its name if the server lists it in Teams; else as the server sent it
	Bot   *bool  `json:"bot,omitzero"`   // whether the player is a program

	Kills  *int `json:"kills,omitzero"`
	Deaths *int `json:"deaths,omitzero"`

	// Rules are the other facts about the player, such as "skill_" or "ngsecret",
	// with their names in the protocol, in the order of the wire.
	Rules []Rule `json:"rules,omitzero"`
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

// Address returns where players join, as host:port or [IPv6]:port. If View.Host is empty,
// it uses the argument, the host that answered the query, in which an IPv6 address may be
// in brackets. Address is "" if the host or the port is unknown.
//
// View.Host is a claim of the server, so it may be in another network or not be a
// host at all: check it before you connect.
func (v View) Address(host string) string {
	host = cmp.Or(v.Host, host)
	if host == "" || v.Port == 0 {
		return ""
	}
	if strings.IndexByte(host, ':') >= 0 && host[0] != '[' {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(v.Port))
}

// Counts returns Players and Max as SetView of all servers reports them, even if the View
// is inconsistent. Unknown and negative numbers count as 0, and Players as at least the
// length of Roster. Players may exceed Max: 41 players of 16 stay 41 of 16.
func (v View) Counts() (players, places int) {
	if v.Players != nil {
		players = *v.Players
	}
	if v.Max != nil {
		places = *v.Max
	}
	return max(players, len(v.Roster)), max(places, 0)
}

// UTF8 converts s to valid UTF-8. Text that is not UTF-8 is taken as Windows-1252,
// which contains Latin-1. A character of UTF-8 that is cut at the end of s becomes
// U+FFFD if there are others before it, because some protocols cut long names.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if whole := withoutCut(s); utf8.ValidString(whole) && !isASCII(whole) {
		return whole + string(utf8.RuneError)
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; 0x80 <= c && c <= 0x9f {
			b.WriteRune(windows1252[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// windows1252 has the characters of Windows-1252 that differ from Latin-1, from 0x80
// on. As in web browsers, the five undefined ones are control characters.
var windows1252 = [...]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// withoutCut returns s without the incomplete character at its end, if it has one.
func withoutCut(s string) string {
	for i := len(s) - 1; i >= 0 && len(s)-i < utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return s[:i]
			}
			break
		}
	}
	return s
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}
