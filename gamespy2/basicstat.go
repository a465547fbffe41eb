package gamespy2

import (
	"bytes"
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A BasicStat is the short answer of a Minecraft server: the id, three texts, two numbers
// as decimal text, hostPort, which is little-endian, and another text.
//
//wire:message type=TypeQuery
type BasicStat struct {
	ID [4]byte `wire:"id"` // of the request

	// MOTD may contain colour codes: a section sign, in Latin-1 or UTF-8, and a letter.
	// Servers send the low byte of each character, so it may contain zero bytes, from
	// characters such as U+2500. Encoding refuses them.
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

// append fails if a text contains a zero byte.
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

// motdLen returns the length of the motd at the start of p, or -1 if p is not a stat
// without more bytes.
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
	stat := err == nil || errors.Is(err, lobbywire.ErrTruncated)
	if far == len(p) {
		if !stat {
			return -1
		}
		return n
	}
	if _, err := afterMOTD(p[far+1:]); err == nil || errors.Is(err, lobbywire.ErrTruncated) || !stat {
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
