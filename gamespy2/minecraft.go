package gamespy2

import (
	"bytes"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A StatRequest requests a stat from a Minecraft server. Servers of other games
// ignore it. The answer to a request for the basic stat is a [BasicStat]; the full
// stat is a [Response] in split form, see [Minecraft].
//
//wire:message magic=0xfefd type=TypeQuery
type StatRequest struct {
	ID        [4]byte `wire:"id"`        // Minecraft reads only the low 4 bits of each byte
	Challenge int32   `wire:"challenge"` // Number of the [ChallengeResponse]

	// Full requests the full stat. Most clients send zeros as padding; those
	// that also know other games send the bytes of a [Request] for all keys.
	Full bool
}

// statPadding is the size of the padding of a request for the full stat.
const statPadding = 4

func (m *StatRequest) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	if r.Len() > 0 {
		m.Full = true
		r.Skip(statPadding, "padding")
	}
	decodeEnd(r, o)
}

// append pads the request for the full stat with zeros.
//
//wire:fails never
func (m *StatRequest) append(w *wire.Writer) {
	m.appendHeader(w)
	if m.Full {
		w.Uint32(0)
	}
}

// A BasicStat is the short answer of a Minecraft server. After the id there are three
// texts, two numbers as decimal text, hostPort, which is little-endian, and another text.
//
//wire:message type=TypeQuery
type BasicStat struct {
	ID [4]byte `wire:"id"` // of the request

	// MOTD has colour codes: a section sign, in Latin-1 or UTF-8, and a letter. Servers
	// send the low byte of each character, so it may contain zero bytes, of characters
	// such as U+2500. Encoding refuses them.
	MOTD string

	GameType   string // "SMP"; "CMP" on some servers of Bedrock Edition
	Map        string // name of the world
	NumPlayers int32
	MaxPlayers int32
	HostPort   uint16
	HostIP     string // as configured on the server
}

// decode accepts zero bytes in motd if the gameType is SMP or CMP.
func (m *BasicStat) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.decodeHeader(r)
	n := motdLen(r.Peek(), o.Strict)
	if n < 0 {
		r.Fail(lobbywire.ErrTruncated, "motd", r.Offset())
	}
	m.MOTD = r.TextWithin(0, n, 1, "motd")
	m.decodeAfterMOTD(r)
	decodeEnd(r, o)
}

func (m *BasicStat) decodeAfterMOTD(r *wire.Reader) {
	m.GameType = r.Text0("gameType")
	m.Map = r.Text0("map")
	m.NumPlayers = int32(r.Int0(32, "numPlayers"))
	m.MaxPlayers = int32(r.Int0(32, "maxPlayers"))
	m.HostPort = r.Uint16LE("hostPort")
	m.HostIP = r.Text0("hostIp")
}

// append fails if a text has a zero byte.
func (m *BasicStat) append(w *wire.Writer) {
	m.appendHeader(w)
	w.Text0("motd", m.MOTD)
	w.Text0("gameType", m.GameType)
	w.Text0("map", m.Map)
	w.Int0(int64(m.NumPlayers))
	w.Int0(int64(m.MaxPlayers))
	w.Uint16LE(m.HostPort)
	w.Text0("hostIp", m.HostIP)
}

// motdLen returns the length of the motd that p starts with. It is -1 if p is not a stat
// unless more bytes follow.
func motdLen(p []byte, strict bool) int {
	n := bytes.IndexByte(p, 0)
	if n < 0 || strict {
		return n
	}
	rest, err := afterMOTD(p[n+1:])
	if err == nil && rest == 0 {
		return n
	}
	far := len(p)
	for _, gameType := range []string{"\x00SMP\x00", "\x00CMP\x00"} {
		if at := bytes.Index(p, []byte(gameType)); at >= 0 {
			far = min(far, at)
		}
	}
	isStat := err == nil || errors.Is(err, lobbywire.ErrTruncated)
	if far == len(p) {
		if !isStat {
			return -1
		}
		return n
	}
	if _, err := afterMOTD(p[far+1:]); err == nil || errors.Is(err, lobbywire.ErrTruncated) || !isStat {
		return far
	}
	return n
}

// afterMOTD reads the bytes after a motd, and returns how many bytes follow.
func afterMOTD(p []byte) (rest int, err error) {
	r := wire.NewReader(p)
	new(BasicStat).decodeAfterMOTD(&r)
	return r.Len(), r.Err(proto)
}

// Minecraft is a full stat of a Minecraft server, with typed fields. The fields up
// to HostIP are the keys of Info, in the order of the wire, with game_id after
// GameType. Some clients rely on this order. A number is nil if it is missing or cannot be
// read.
type Minecraft struct {
	MOTD       string `key:"hostname"` // as in [BasicStat]
	GameType   string `key:"gametype"` // "SMP"
	Version    string `key:"version"`  // such as "1.20.4"
	Plugins    string `key:"plugins"`  // "server: name version; name version", or ""
	Map        string `key:"map"`
	NumPlayers *int   `key:"numplayers"`
	MaxPlayers *int   `key:"maxplayers"`
	HostPort   *int   `key:"hostport"`
	HostIP     string `key:"hostip"`

	Players []string // names
}

// gameID is the value of the key game_id, which some clients require, and
// gameIDPlace its place in Info.
const (
	gameID      = "MINECRAFT"
	gameIDPlace = 2
)

// playerColumn is the first column of Players.
const playerColumn = "player_"

// Minecraft returns the typed form of the full stat of a Minecraft server. Unknown keys and
// columns are ignored.
func (m Response) Minecraft() Minecraft {
	var v Minecraft
	m.readInfo(&v)
	v.Players = make([]string, len(m.Players.Rows))
	if column := m.Players.Column(playerColumn); column >= 0 {
		for i, row := range m.Players.Rows {
			v.Players[i] = row[column]
		}
	}
	return v
}

// Response returns the full stat. It has no teams and ends after the players, as
// clients require.
func (v Minecraft) Response(id [4]byte) Response {
	m := Response{ID: id, Split: true, Sections: SectionInfo | SectionPlayers}
	m.Info = slices.Insert(infoOf(&v), gameIDPlace, KeyValue{minecraftGame, gameID})
	m.Players = Table{Columns: []string{playerColumn}, Rows: make([][]string, len(v.Players))}
	for i := range v.Players {
		m.Players.Rows[i] = v.Players[i : i+1 : i+1]
	}
	return m
}

// BasicStat returns the basic stat. A number that is unknown or does not fit is 0 there.
func (v Minecraft) BasicStat(id [4]byte) BasicStat {
	return BasicStat{
		ID: id, MOTD: v.MOTD, GameType: v.GameType, Map: v.Map,
		NumPlayers: orZero[int32](v.NumPlayers), MaxPlayers: orZero[int32](v.MaxPlayers),
		HostPort: orZero[uint16](v.HostPort), HostIP: v.HostIP,
	}
}

// orZero returns what v points to, 0 if v is nil or the number does not fit.
func orZero[T int32 | uint16](v *int) T {
	if v == nil || int(T(*v)) != *v {
		return 0
	}
	return T(*v)
}

// isMinecraft reports whether a response in split form is a full stat of Minecraft.
func (m *Response) isMinecraft() bool { return m.Sections == SectionInfo|SectionPlayers }

// minecraftKeys are the keys of full stats, in their order. Bedrock Edition has more than
// [Minecraft], and hostip before hostport.
var minecraftKeys = [...]string{
	"hostname", "gametype", minecraftGame, "version", "server_engine", "plugins", "map", "numplayers", "maxplayers",
	"whitelist", "hostport", "hostip",
}

// isMinecraftInfo reports whether p, an Info, is that of a full stat. Its third key is near
// the start.
func isMinecraftInfo(p []byte) bool {
	const near = 1 << 10
	return bytes.HasPrefix(p, []byte("hostname\x00")) &&
		bytes.Contains(p[:min(len(p), near)], []byte(minecraftGame+"\x00"+gameID))
}

// minecraftValue returns the length of the value of a key in a full stat, which p starts
// with, -1 if it has no end. The value may contain zero bytes. It ends at the first one if
// pairs follow up to one of keys, those that come after the key, or up to the end of Info;
// else at the next of keys. The value of hostname, which the owner chooses, always ends
// at gametype. If strict, it also ends at the first one if pairs follow up to the end of p:
// with more bytes, Info may end there.
func minecraftValue(p []byte, key string, keys []string, strict bool) int {
	n := bytes.IndexByte(p, 0)
	if n < 0 {
		return n
	}
	if key == minecraftKeys[0] {
		if far := indexKey(p, minecraftKeys[1]); far >= 0 {
			return far
		}
	}
	for q := p[n+1:]; ; {
		name, rest, ok := bytes.Cut(q, []byte{0})
		if slices.Contains(keys, string(name)) || len(name) == 0 && endsBefore(rest) {
			return n
		}
		_, q, _ = bytes.Cut(rest, []byte{0})
		if strict && len(name) > 0 && len(q) == 0 {
			return n
		}
		if !ok || len(name) == 0 || len(q) == 0 {
			break
		}
	}
	for _, next := range keys {
		if far := indexKey(p, next); far >= 0 {
			return far
		}
	}
	return n
}

// indexKey returns the index of the zero byte before a key in p, -1 if p does not have it.
func indexKey(p []byte, key string) int { return bytes.Index(p, []byte("\x00"+key+"\x00")) }

// endsBefore reports whether p may follow the end of a full stat's Info.
func endsBefore(p []byte) bool {
	return len(p) == 0 || isTable(p[0]) || bytes.HasPrefix(p, []byte(paperSection))
}

// swallowsKey reports whether a reader takes the second key of an encoded Info for a part of
// hostname, because the Info is that of a full stat without gametype there.
func swallowsKey(p []byte) bool {
	if !isMinecraftInfo(p) {
		return false
	}
	p = p[len("hostname\x00"):]
	return minecraftValue(p, minecraftKeys[0], minecraftKeys[1:], false) != bytes.IndexByte(p, 0)
}

// Some versions of Paper send numbers of four bytes instead of one in the section of the
// players: the end of Info, the section, the first row and the end.
const (
	paperSection = "\x00\x00\x00\x00\x00\x00\x01" + playerColumn + "\x00" // after the first byte of the end
	paperNumber  = 4
)

// checkMinecraft refuses a full stat that clients of Minecraft misread: they read
// the keys of [Minecraft] by their places and the names of the players up to the
// end of the packet.
func (m *Response) checkMinecraft(w *wire.Writer) {
	for i, kv := range (Minecraft{}).Response(m.ID).Info {
		if i >= len(m.Info) || m.Info[i].Key != kv.Key {
			w.In("info", i)
			w.Refuse("key", "is not the key that Minecraft has at this place")
		}
	}
	w.In("", -1)
	if len(m.Players.Columns) != 1 || m.Players.Columns[0] != playerColumn {
		w.Refuse("players.columns", "are not player_ alone")
	}
	if len(m.Teams.Columns)+len(m.Teams.Rows) > 0 {
		w.Refuse("teams", "do not exist in Minecraft")
	}
}
