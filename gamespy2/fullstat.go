package gamespy2

import (
	"bytes"
	"slices"
)

// isMinecraft reports whether a response in split form is a full stat of Minecraft.
func (m *Response) isMinecraft() bool { return m.Sections == SectionInfo|SectionPlayers }

// The key that only Minecraft sends, and its value. Some clients require both.
const (
	minecraftGame = "game_id"
	gameID        = "MINECRAFT"
)

// minecraftKeys are the keys of full stats, in their order. Bedrock Edition sends more keys
// than [Minecraft], and hostip before hostport.
var minecraftKeys = [...]string{
	"hostname", "gametype", minecraftGame, "version", "server_engine", "plugins", "map", "numplayers", "maxplayers",
	"whitelist", "hostport", "hostip",
}

// isMinecraftInfo reports whether p, an Info, belongs to a full stat. The key that shows it
// is the third.
func isMinecraftInfo(p []byte) bool {
	const near = 1 << 10
	return bytes.HasPrefix(p, []byte("hostname\x00")) &&
		bytes.Contains(p[:min(len(p), near)], []byte(minecraftGame+"\x00"+gameID))
}

// isFullStat reports whether the packet, with this body, is a full stat although its number is
// larger than any packet number: MiNET sends a question mark in place of the number.
func (m *Packet) isFullStat(body []byte) bool {
	return m.Number >= MaxPackets && len(body) > 0 && body[0] == info && isMinecraftInfo(body[1:])
}

// minecraftValue returns the length of the value at the start of p, of a key of a full
// stat, or -1 if it has no end. The value may contain zero bytes. It ends at the first one
// if pairs follow up to one of keys, the later keys, or up to the end of Info; otherwise it
// ends at the next of keys. The value of hostname, which the owner chooses, always ends at
// gametype. If strict, a value also ends at the first zero byte if pairs follow up to the
// end of p: with more bytes, Info may end there.
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

// indexKey returns the index of the zero byte before a key in p, or -1.
func indexKey(p []byte, key string) int { return bytes.Index(p, []byte("\x00"+key+"\x00")) }

// endsBefore reports whether p may follow the end of a full stat's Info.
func endsBefore(p []byte) bool {
	return len(p) == 0 || isTable(p[0]) || bytes.HasPrefix(p, []byte(paperSection))
}

// swallowsKey reports whether readers treat the second key of an encoded Info as a part of
// hostname, because it belongs to a full stat without gametype at that position.
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
