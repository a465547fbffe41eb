package warzone

import (
	"bytes"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Values of [Game.Size]: what clients send is the size of a structure in their
// memory.
const (
	SizeOfRecord = 48 // clients 2.0 and 2.1; 2.0 accepts nothing else
	SizeOfGame   = 72 // clients since 2.2
)

// Fillers stand where a later version has fields: in version 2 all four, in
// version 3 before 3.1 the last three, the fourth until 3.2. They are for
// GameID, Limits, OS and NetcodeWord, in this order. Clients do not look at
// them; AppendBinary writes the fields as they are.
const (
	Filler1 = 0xBAD01
	Filler2 = 0xBAD02
	Filler3 = 0xBAD03
	Filler4 = 0xBAD04
)

// A Game is an open game, as its host describes it to the lobby and the lobby
// to clients. On the wire it has 814 bytes, or 112 of clients 2.0 and 2.1: see
// the package documentation for the offsets. A field that a layout lacks is
// empty or 0.
//
//wire:message
type Game struct {
	Version        uint32 // Version2 to Version4; 0 in Layout20 and Layout21, which have none
	Layout         Layout // LayoutVersioned unless it is an old client's
	Name           string // at most 63 bytes; empty is not listed by some lobbies
	Size           uint32 // SizeOfGame or SizeOfRecord; clients do not show a game with 0
	Flags          uint32 // 0; settings in 4.6, see Settings
	Host           string // IP address, empty from a host: the lobby fills it in
	MaxPlayers     uint32
	CurrentPlayers uint32    // with computer players
	UserFlags      [4]uint32 // see GameType, Spectators and BlindMode

	Misc           string    // version 2 only
	SecondaryHosts [2]string // IP addresses, filled in by the lobby; not in version 2
	Extra          string    // text without a known use; the game sends "Extra"
	HostPort       uint16    // version 4 only, 0 is the default; see JoinPort
	MapName        string    // at most 39 bytes; not in version 2 and Layout23
	HostName       string    // name of the player who hosts, at most 39 bytes; where MapName is

	VersionString string // of the client, to be shown only, as "4.3.3"
	ModList       string // at most 254 bytes; joined by ", " in 4.x
	NetcodeMajor  uint32 // those who differ in it or in NetcodeMinor cannot play together
	NetcodeMinor  uint32
	Private       uint32 // 1: a password is needed
	Pure          uint32 // 0; since 2013: 1 if the map carries mods
	Mods          uint32 // 0
	GameID        uint32 // by the lobby; version 2: Filler1
	Limits        Limits // since 3.1; before: Filler2
	OS            OS     // of the host, since 3.2; before: Filler3
	NetcodeWord   uint32 // since 3.2; before: Filler4; see Netcode
}

// decode accepts any layout. The size and the version word identify it; for a
// record of 112 bytes, a Size of 48 identifies the byte order, which is
// big-endian if neither order fits. A version other than 2, 3 and 4 is
// [lobbywire.ErrUnsupported].
func (m *Game) decode(r *wire.Reader, o Options) {
	m.decodeAs(r, o, o.layoutOf(r.Peek()))
	r.End()
}

// Sizes of text fields, each with room for a zero byte.
const (
	nameSize          = MaxName + 1
	hostSize          = 40
	recordHostSize    = 16
	mapNameSize       = MaxMapName + 1
	hostNameSize      = MaxHostName + 1
	versionStringSize = MaxVersionString + 1
	modListSize       = MaxModList + 1
	miscSize          = MaxMisc + 1
	extraSize2        = 255
	extraSize23       = 239
	extraSize3        = 159
	extraSize4        = MaxExtra + 1
)

// decodeAs reads a game of layout l.
func (m *Game) decodeAs(r *wire.Reader, o Options, l Layout) {
	m.Layout = l
	switch l {
	case Layout20, Layout21:
		m.decodeSession(r, o, recordHostSize)
		return
	case LayoutVersioned, Layout23:
	default:
		r.Fail(lobbywire.ErrUnsupported, "layout", r.Offset())
	}
	at := r.Offset()
	m.Version = r.Uint32("version")
	if m.Version < Version2 || m.Version > Version4 || l == Layout23 && m.Version != Version3 {
		r.Fail(lobbywire.ErrUnsupported, "version", at)
		return
	}
	m.decodeSession(r, o, hostSize)
	m.decodePlace(r, o)
	m.VersionString = text(r, o, versionStringSize, "versionString")
	m.ModList = text(r, o, modListSize, "modList")
	m.NetcodeMajor = r.Uint32("netcodeMajor")
	m.NetcodeMinor = r.Uint32("netcodeMinor")
	m.Private = r.Uint32("private")
	m.Pure = r.Uint32("pure")
	m.Mods = r.Uint32("mods")
	m.GameID = r.Uint32("gameId")
	m.Limits = Limits(r.Uint32("limits"))
	m.OS = OS(r.Uint32("os"))
	m.NetcodeWord = r.Uint32("netcodeWord")
}

// decodeSession reads what all layouts have.
func (m *Game) decodeSession(r *wire.Reader, o Options, hostSize int) {
	l := m.Layout
	m.Name = text(r, o, nameSize, "name")
	m.Size = l.uint32(r, "size")
	m.Flags = l.uint32(r, "flags")
	m.Host = host(r, o, l, hostSize, "host")
	m.MaxPlayers = l.uint32(r, "maxPlayers")
	m.CurrentPlayers = l.uint32(r, "currentPlayers")
	m.UserFlags[0] = l.uint32(r, "userFlags[0]")
	m.UserFlags[1] = l.uint32(r, "userFlags[1]")
	m.UserFlags[2] = l.uint32(r, "userFlags[2]")
	m.UserFlags[3] = l.uint32(r, "userFlags[3]")
}

// decodePlace reads the part that versions divide in different ways.
func (m *Game) decodePlace(r *wire.Reader, o Options) {
	if m.Version == Version2 {
		m.Misc = text(r, o, miscSize, "misc")
		m.Extra = text(r, o, extraSize2, "extra")
		return
	}
	m.SecondaryHosts[0] = host(r, o, m.Layout, hostSize, "secondaryHosts[0]")
	m.SecondaryHosts[1] = host(r, o, m.Layout, hostSize, "secondaryHosts[1]")
	switch {
	case m.Layout == Layout23:
		m.Extra = text(r, o, extraSize23, "extra")
		return
	case m.Version == Version3:
		m.Extra = text(r, o, extraSize3, "extra")
	default:
		// A lobby that knows version 3 only fills extra with blanks, which
		// reach over the port.
		p := r.Peek()
		overwritten := len(p) >= extraSize4+2 && bytes.IndexByte(p[:extraSize4], 0) < 0 &&
			string(p[extraSize4-1:extraSize4+2]) == "   "
		m.Extra = text(r, o, extraSize4, "extra")
		if m.HostPort = r.Uint16("hostPort"); overwritten {
			m.HostPort = 0
		}
	}
	m.MapName = text(r, o, mapNameSize, "mapName")
	m.HostName = text(r, o, hostNameSize, "hostName")
}

// text reads a field of n bytes. Some lobbies fill it with blanks.
func text(r *wire.Reader, o Options, n int, field string) string {
	if p := r.Peek(); o.Strict && len(p) >= n {
		if end := bytes.IndexByte(p[:n], 0); end < 0 || bytes.Count(p[end:n], []byte{0}) < n-end {
			r.Fail(lobbywire.ErrInvalid, field, r.Offset())
		}
	}
	return r.TextPadded(n, ' ', field)
}

// host reads a field of n bytes for an IP address.
func host(r *wire.Reader, o Options, l Layout, n int, field string) string {
	at := r.Offset()
	s := text(r, o, n, field)
	if o.Strict && !isHost(s, l) {
		r.Fail(lobbywire.ErrInvalid, field, at)
	}
	return s
}

// isHost tells whether s is what the layout has for a host: an IP address or
// nothing.
func isHost(s string, l Layout) bool {
	if s == "" {
		return true
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == "" && (a.Is4() || !l.isRecord())
}

// append writes 814 bytes, or 112 in Layout20 and Layout21. It fails if a text
// does not fit its field or holds a zero byte; if a host is neither empty nor an
// IP address, an IPv4 address in 112 bytes; if the version or the layout is
// unknown; or if a field is set that the layout lacks.
func (m *Game) append(w *wire.Writer) {
	l := m.Layout
	switch {
	case l > Layout23:
		w.Fail(lobbywire.ErrUnsupported, "layout")
	case !l.isRecord() && (m.Version < Version2 || m.Version > Version4), l == Layout23 && m.Version != Version3:
		w.Fail(lobbywire.ErrUnsupported, "version")
	}
	b := w.Block(l.size())
	if l.isRecord() {
		m.refuseBeyondRecord(w)
		m.appendSession(w, &b, recordHostSize)
		return
	}
	b.Uint32(m.Version)
	m.appendSession(w, &b, hostSize)
	m.appendPlace(w, &b)
	b.TextFixed(versionStringSize, "versionString", m.VersionString)
	b.TextFixed(modListSize, "modList", m.ModList)
	b.Uint32(m.NetcodeMajor)
	b.Uint32(m.NetcodeMinor)
	b.Uint32(m.Private)
	b.Uint32(m.Pure)
	b.Uint32(m.Mods)
	b.Uint32(m.GameID)
	b.Uint32(uint32(m.Limits))
	b.Uint32(uint32(m.OS))
	b.Uint32(m.NetcodeWord)
}

// appendSession appends what all layouts have.
func (m *Game) appendSession(w *wire.Writer, b *wire.Block, hostSize int) {
	l := m.Layout
	b.TextFixed(nameSize, "name", m.Name)
	l.appendUint32(b, m.Size)
	l.appendUint32(b, m.Flags)
	m.appendHost(w, b, hostSize, "host", m.Host)
	l.appendUint32(b, m.MaxPlayers)
	l.appendUint32(b, m.CurrentPlayers)
	for _, v := range m.UserFlags {
		l.appendUint32(b, v)
	}
}

// appendPlace appends the part that versions divide in different ways.
func (m *Game) appendPlace(w *wire.Writer, b *wire.Block) {
	if m.Version == Version2 {
		m.refuseSecondaryHosts(w)
		m.refusePlace(w)
		b.TextFixed(miscSize, "misc", m.Misc)
		b.TextFixed(extraSize2, "extra", m.Extra)
		return
	}
	refuse(w, m.Misc != "", "misc")
	m.appendHost(w, b, hostSize, "secondaryHosts[0]", m.SecondaryHosts[0])
	m.appendHost(w, b, hostSize, "secondaryHosts[1]", m.SecondaryHosts[1])
	switch {
	case m.Layout == Layout23:
		m.refusePlace(w)
		b.TextFixed(extraSize23, "extra", m.Extra)
		return
	case m.Version == Version3:
		refuse(w, m.HostPort != 0, "hostPort")
		b.TextFixed(extraSize3, "extra", m.Extra)
	default:
		b.TextFixed(extraSize4, "extra", m.Extra)
		b.Uint16(m.HostPort)
	}
	b.TextFixed(mapNameSize, "mapName", m.MapName)
	b.TextFixed(hostNameSize, "hostName", m.HostName)
}

func (m *Game) appendHost(w *wire.Writer, b *wire.Block, n int, field, s string) {
	refuse(w, !isHost(s, m.Layout), field)
	b.TextFixed(n, field, s)
}

// refuse fails if a field is not right: set though the layout lacks it, mostly.
func refuse(w *wire.Writer, wrong bool, field string) {
	if wrong {
		w.Fail(lobbywire.ErrInvalid, field)
	}
}

// refuseSecondaryHosts refuses what came with 2.3.
func (m *Game) refuseSecondaryHosts(w *wire.Writer) {
	refuse(w, m.SecondaryHosts[0] != "", "secondaryHosts[0]")
	refuse(w, m.SecondaryHosts[1] != "", "secondaryHosts[1]")
}

// refusePlace refuses what came with 2.3.5.
func (m *Game) refusePlace(w *wire.Writer) {
	refuse(w, m.HostPort != 0, "hostPort")
	refuse(w, m.MapName != "", "mapName")
	refuse(w, m.HostName != "", "hostName")
}

// refuseBeyondRecord refuses what came with 2.2 and later.
func (m *Game) refuseBeyondRecord(w *wire.Writer) {
	refuse(w, m.Version != 0, "version")
	refuse(w, m.Misc != "", "misc")
	m.refuseSecondaryHosts(w)
	refuse(w, m.Extra != "", "extra")
	m.refusePlace(w)
	refuse(w, m.VersionString != "", "versionString")
	refuse(w, m.ModList != "", "modList")
	refuse(w, m.NetcodeMajor != 0, "netcodeMajor")
	refuse(w, m.NetcodeMinor != 0, "netcodeMinor")
	refuse(w, m.Private != 0, "private")
	refuse(w, m.Pure != 0, "pure")
	refuse(w, m.Mods != 0, "mods")
	refuse(w, m.GameID != 0, "gameId")
	refuse(w, m.Limits != 0, "limits")
	refuse(w, m.OS != 0, "os")
	refuse(w, m.NetcodeWord != 0, "netcodeWord")
}
