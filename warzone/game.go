package warzone

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Game is an open game, as its host describes it to the lobby and the lobby to clients.
// It has 814 bytes on the wire, or 112 from clients 2.0 and 2.1; the package documentation
// lists the offsets and the names in the game's source. A field that a layout lacks is
// empty or 0.
//
//wire:message layouts=Layout:Layout20/le,Layout21,layout22,Layout23,layout30,layout40
type Game struct {
	Version        uint32    `wire:"version"             sizes:" -   -   4   4   4   4"` // Version2 to Version4; 0 in Layout20 and Layout21
	Layout         Layout    // LayoutVersioned, except for games of early clients
	Name           string    `wire:"name,text"           sizes:"64  64  64  64  64  64"` // some lobbies do not list a game without a name
	Size           uint32    `wire:"size"                sizes:" 4   4   4   4   4   4"` // SizeOfGame or SizeOfRecord; clients hide a game with 0
	Flags          uint32    `wire:"flags"               sizes:" 4   4   4   4   4   4"` // 0; settings in 4.6, see Settings
	Host           string    `wire:"host,host"           sizes:"16  16  40  40  40  40"` // IP address; empty from a host, the lobby sets it
	MaxPlayers     uint32    `wire:"maxPlayers"          sizes:" 4   4   4   4   4   4"` // open and taken slots
	CurrentPlayers uint32    `wire:"currentPlayers"      sizes:" 4   4   4   4   4   4"` // including computer players
	UserFlags      [4]uint32 `wire:"userFlags"           sizes:" 4   4   4   4   4   4"` // see GameType, Spectators and BlindMode
	Misc           string    `wire:"misc,text"           sizes:" -   -  64   -   -   -"` // version 2 only
	SecondaryHosts [2]string `wire:"secondaryHosts,host" sizes:" -   -   -  40  40  40"` // IP addresses, set by the lobby
	Extra          string    `wire:"extra,text"          sizes:" -   - 255 239 159 157"` // text without a known use; the game sends "Extra"
	HostPort       uint16    `wire:"hostPort"            sizes:" -   -   -   -   -   2"` // 0 is the default port; see JoinPort
	MapName        string    `wire:"mapName,text"        sizes:" -   -   -   -  40  40"`
	HostName       string    `wire:"hostName,text"       sizes:" -   -   -   -  40  40"` // name of the player who hosts
	VersionString  string    `wire:"versionString,text"  sizes:" -   -  64  64  64  64"` // of the client, for display, such as "4.3.3"
	ModList        string    `wire:"modList,text"        sizes:" -   - 255 255 255 255"` // joined by ", " in 4.x
	NetcodeMajor   uint32    `wire:"netcodeMajor"        sizes:" -   -   4   4   4   4"` // clients must agree on it and on NetcodeMinor to play together
	NetcodeMinor   uint32    `wire:"netcodeMinor"        sizes:" -   -   4   4   4   4"`
	Private        uint32    `wire:"private"             sizes:" -   -   4   4   4   4"` // 1: a password is required
	Pure           uint32    `wire:"pure"                sizes:" -   -   4   4   4   4"` // 0; since 2013: 1 if the map contains mods
	Mods           uint32    `wire:"mods"                sizes:" -   -   4   4   4   4"` // 0
	GameID         uint32    `wire:"gameId"              sizes:" -   -   4   4   4   4"` // chosen by the lobby; version 2: Filler+1
	Limits         Limits    `wire:"limits"              sizes:" -   -   4   4   4   4"` // since 3.1; before: Filler+2
	OS             OS        `wire:"os"                  sizes:" -   -   4   4   4   4"` // of the host, since 3.2; before: Filler+3
	NetcodeWord    uint32    `wire:"netcodeWord"         sizes:" -   -   4   4   4   4"` // since 3.2; before: Filler+4; see Netcode
}

// decode accepts any layout. The size and the version word identify it; for a record of 112
// bytes, a Size of 48 identifies the byte order, which is big-endian if neither order fits,
// unless the first byte is zero and therefore part of a version word. A version other than
// 2, 3 and 4 is [lobbywire.ErrUnsupported].
func (m *Game) decode(r *wire.Reader, o Options) {
	m.decodeAs(r, o, o.layoutOf(r.Peek()))
	r.End()
}

// decodeAs reads a game of layout l. More bytes may follow.
func (m *Game) decodeAs(r *wire.Reader, o Options, l Layout) {
	m.Layout = l
	at, whole := r.Offset(), r.Peek()
	var version uint32
	if len(whole) >= 4 {
		version = binary.BigEndian.Uint32(whole)
	}
	found, wrong := l.of(version)
	if wrong != "" {
		if wrong == "version" {
			r.Uint32(wrong)
		}
		r.Fail(wire.Unsupported("unknown version or layout"), wrong, at)
		return
	}
	m.decodeLayout(r, o, found)
	if found == layout40 && !r.Failed() && isBlankPort(whole[extraOffset:]) {
		m.HostPort = 0
	}
}

// isBlankPort reports whether blanks that fill Extra overwrite the port of a game of
// version 4, as a lobby that supports only version 3 does. p starts at Extra.
func isBlankPort(p []byte) bool {
	return string(p[extraSize-1:extraSize+2]) == "   " && bytes.IndexByte(p[:extraSize], 0) < 0
}

// append writes 814 bytes, or 112 in Layout20 and Layout21. It fails if a text does not fit
// its field or holds a zero byte; if a host is neither empty nor an IP address, in 112
// bytes an IPv4 address; if the version or the layout is unknown; or if a field is set that
// the layout lacks.
func (m *Game) append(w *wire.Writer) {
	l, wrong := m.Layout.of(m.Version)
	if wrong != "" {
		w.Fail(wire.Unsupported("unknown version or layout"), wrong)
		return
	}
	m.appendLayout(w, w.Block(l.gameSize()), l)
}

// Fit returns the game as its layout can carry it: each text is shortened to its
// field as [Clip] does, and fields that the layout lacks are cleared. If the
// layout or the version is unknown, it returns m unchanged.
func (m Game) Fit() Game {
	if l, wrong := m.Layout.of(m.Version); wrong == "" {
		m.fitLayout(l)
	}
	return m
}

// Clone returns a copy of the game with texts in memory of their own. The texts
// of a parsed game are parts of one copy of the message, which may be a list of
// many games: keep a Clone to release the rest.
func (m Game) Clone() Game {
	var size int
	texts := [...]*string{
		&m.Name, &m.Host, &m.Misc, &m.SecondaryHosts[0], &m.SecondaryHosts[1],
		&m.Extra, &m.MapName, &m.HostName, &m.VersionString, &m.ModList,
	}
	for _, text := range texts {
		size += len(*text)
	}
	var all strings.Builder
	all.Grow(size)
	for _, text := range texts {
		all.WriteString(*text)
	}
	rest := all.String()
	for _, text := range texts {
		n := len(*text)
		*text, rest = rest[:n], rest[n:]
	}
	return m
}

// GameType returns the kind of the game: the first of UserFlags.
func (m Game) GameType() GameType { return GameType(m.UserFlags[0]) }

// Spectators returns the number of spectators and of their slots, since about
// 4.2: the halves of the second of UserFlags.
func (m Game) Spectators() (joined, slots uint16) {
	return uint16(m.UserFlags[1] >> 16), uint16(m.UserFlags[1])
}

// BlindMode returns the mode in which players are hidden from each other, since 4.6: the
// third of UserFlags. 0 means that they are not.
func (m Game) BlindMode() uint32 { return m.UserFlags[2] }

// Settings returns the bytes of Flags. Earlier clients send 0.
func (m Game) Settings() Settings {
	return Settings{uint8(m.Flags >> 24), uint8(m.Flags >> 16), uint8(m.Flags >> 8), uint8(m.Flags)}
}

// Netcode returns the two halves of NetcodeWord, or zeros if it is Filler+4. A
// client offers its user an upgrade if a listed game has a higher number than its
// own.
func (m Game) Netcode() (major, minor uint16) {
	if m.NetcodeWord == Filler+4 {
		return 0, 0
	}
	return uint16(m.NetcodeWord >> 16), uint16(m.NetcodeWord)
}
