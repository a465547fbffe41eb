package servers

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// A planted is a mistake in a toy, and the first case that finds it.
type planted struct {
	name  string
	plant func(right toy) toy
	found string
}

// answers changes how a toy answers.
func answers(with func(right toy, from netip.AddrPort, req []byte) []byte) func(toy) toy {
	return func(right toy) toy {
		return toy{func(from netip.AddrPort, req []byte) []byte { return with(right, from, req) }, right.set}
	}
}

// requests changes the requests that a toy sees.
func requests(change func(req []byte) []byte) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		return right.respond(from, change(bytes.Clone(req)))
	})
}

// replies changes answers.
func replies(change func(answer []byte) []byte) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		answer := right.respond(from, req)
		if answer != nil {
			answer = change(answer)
		}
		return answer
	})
}

// changed changes answers that are longer than a challenge.
func changed(change func(answer []byte) []byte) func(toy) toy {
	return replies(func(answer []byte) []byte {
		if len(answer) > 16 {
			answer = change(answer)
		}
		return answer
	})
}

// replaced changes a text in answers.
func replaced(old, with string) func(toy) toy { return replies(replacedIn(old, with)) }

// instead is another toy.
func instead(t func() toy) func(toy) toy { return func(toy) toy { return t() } }

// edited is short for Edited.
var edited = checktest.Edited

// set changes the state that a toy shows.
func set(change func(v *lobbywire.View)) func(toy) toy {
	return func(right toy) toy {
		return toy{right.respond, func(v lobbywire.View) {
			change(&v)
			right.set(v)
		}}
	}
}

// stale shows each state only when the next one is set.
func stale(right toy) toy {
	var last *lobbywire.View
	return toy{right.respond, func(v lobbywire.View) {
		if last != nil {
			right.set(*last)
		} else {
			right.set(v)
		}
		last = &v
	}}
}

// cached answers each kind of request, from each client, as it did for the first time.
func cached(right toy) toy {
	known := map[string][]byte{}
	return toy{func(from netip.AddrPort, req []byte) []byte {
		key := from.String() + string(req)
		if known[key] == nil {
			known[key] = right.respond(from, req)
		}
		return known[key]
	}, right.set}
}

// fromHost answers as if all clients of a host were at one port.
func fromHost(right toy, from netip.AddrPort, req []byte) []byte {
	return right.respond(netip.AddrPortFrom(from.Addr(), 0), req)
}

// fromPort answers as if all clients were at one host.
func fromPort(right toy, from netip.AddrPort, req []byte) []byte {
	return right.respond(netip.AddrPortFrom(netip.MustParseAddr("192.0.2.7"), from.Port()), req)
}

// orOf also takes the tokens of another client.
func orOf(client int) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		if answer := right.respond(from, req); answer != nil {
			return answer
		}
		other := netip.AddrPortFrom(from.Addr(), from.Port()+1)
		if client == 2 {
			other = netip.AddrPortFrom(netip.MustParseAddr("198.51.100.8"), from.Port())
		}
		return right.respond(other, req)
	})
}

// swap swaps two texts of a state.
func swap(a, b func(v *lobbywire.View) *string) func(toy) toy {
	return set(func(v *lobbywire.View) { *a(v), *b(v) = *b(v), *a(v) })
}

func name(v *lobbywire.View) *string    { return &v.Name }
func level(v *lobbywire.View) *string   { return &v.Map }
func mode(v *lobbywire.View) *string    { return &v.Mode }
func version(v *lobbywire.View) *string { return &v.Version }

func isTokenRequest(req []byte) bool { return bytes.Equal(req, make([]byte, 5)) }

// withToken returns a query of SQP with the client's own token.
func withToken(right toy, from netip.AddrPort, req []byte, bytesRead int) []byte {
	token := right.respond(from, make([]byte, 5))[1:]
	if len(req) == 8 && req[0] == 1 && bytes.Equal(req[1:1+bytesRead], token[:bytesRead]) {
		return slices.Concat([]byte{1}, token, req[5:])
	}
	return req
}

func readsToken(n int) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		return right.respond(from, withToken(right, from, req, n))
	})
}

func plantedSQP() []planted {
	return []planted{
		{"is silent", answers(func(toy, netip.AddrPort, []byte) []byte { return nil }), "sqp/1.1"},
		{"answers all with a challenge", requests(func([]byte) []byte { return make([]byte, 5) }), "sqp/1.2"},
		{"does not read the token", readsToken(0), "sqp/1.3"},
		{"reads the first byte of the token", readsToken(1), "sqp/1.5"},
		{"reads three bytes of the token", readsToken(3), "sqp/1.7"},
		{"has one token for all ports of a host", answers(fromHost), "sqp/1.9"},
		{"has one token for all hosts", answers(fromPort), "sqp/1.10"},
		{"takes the token of another port", orOf(1), "sqp/1.9"},
		{"takes the token of another host", orOf(2), "sqp/1.10"},
		{"takes tokens in the other byte order", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			if answer := right.respond(from, req); answer != nil || len(req) != 8 {
				return answer
			}
			r := bytes.Clone(req)
			slices.Reverse(r[1:5])
			return right.respond(from, r)
		}), "sqp/1.8"},
		{"answers requests without a token", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			if len(req) == 8 && req[0] == 1 && binary.BigEndian.Uint32(req[1:]) == 0 {
				req = withToken(right, from, req, 0)
			}
			return right.respond(from, req)
		}), "sqp/1.3"},
		{"answers answers", requests(edited(`^.(.{4}).{12,}$`, "\x01${1}\x00\x01\x01")), "sqp/1.11"},
		{"answers unknown types", requests(edited(`^.(.{7})$`, "\x01$1")), "sqp/1.12"},
		{"takes a byte too many", requests(edited(`^(.{8}).$`, "$1")), "sqp/3.1"},
		{"takes a byte too few", requests(edited(`^.{7}$`, "$0\x01")), "sqp/3.2"},
		{"takes long challenge requests", requests(edited(`^(.{5}).$`, "$1")), "sqp/3.4"},
		{"appends a zero", changed(func(b []byte) []byte { return append(b, 0) }), "sqp/1.2"},
		{"cuts answers", changed(func(b []byte) []byte { return b[:min(len(b), 512)] }), "sqp/6.4"},
		{"cuts texts and counts the rest",
			set(func(v *lobbywire.View) { v.Name = v.Name[:min(len(v.Name), 63)] }), "sqp/6.4"},
		{"counts a text one short", changed(func(b []byte) []byte { b[19]--; return b }), "sqp/1.2"},
		{"counts the chunk one short", changed(func(b []byte) []byte { b[14]--; return b }), "sqp/1.2"},
		{"counts the packet one short", changed(func(b []byte) []byte { b[10]--; return b }), "sqp/1.2"},
		{"has no room for a text of 255 bytes", changed(edited(`^(.{19})\xff`, "$1\x00")), "sqp/6.4"},
		{"counts a player more", set(func(v *lobbywire.View) { v.Players = new(*v.Players + 1) }), "sqp/6.1"},
		{"has the port in the other byte order", changed(edited(`(.)(.)$`, "$2$1")), "sqp/6.1"},
		{"has the players in the other byte order", changed(edited(`^(.{15})(.)(.)`, "$1$3$2")), "sqp/2.7"},
		{"swaps map and mode", swap(level, mode), "sqp/6.1"},
		{"swaps name and map", swap(name, level), "sqp/6.1"},
		{"swaps version and mode", swap(version, mode), "sqp/6.1"},
		{"swaps players and places", set(func(v *lobbywire.View) { v.Players, v.Max = v.Max, v.Players }), "sqp/2.7"},
		{"shows an old state", stale, "sqp/6.2"},
		{"caches answers for ever", cached, "sqp/6.2"},
		{"cannot be empty", set(func(v *lobbywire.View) { v.Players = new(max(*v.Players, 1)) }), "sqp/6.2"},
		{"has a byte for players", set(func(v *lobbywire.View) { v.Players = new(*v.Players & 255) }), "sqp/6.5"},
		{"has numbers with a sign", set(func(v *lobbywire.View) { v.Max = new(*v.Max & 0x7fff) }), "sqp/6.5"},
		{"sends Latin-1", set(func(v *lobbywire.View) {
			v.Name = string(bytes.ReplaceAll([]byte(v.Name), []byte("é"), []byte{0xe9}))
		}), "sqp/6.6"},
		{"replaces what is not ASCII", set(func(v *lobbywire.View) {
			v.Name = string(bytes.Map(func(r rune) rune {
				if r > 127 {
					return '?'
				}
				return r
			}, []byte(v.Name)))
		}), "sqp/6.6"},
		{"ends texts at a zero byte", set(func(v *lobbywire.View) {
			head, _, _ := bytes.Cut([]byte(v.Name), []byte{0})
			v.Name = string(head)
		}), "sqp/6.7"},
		{"sends another version", changed(func(b []byte) []byte { b[6]++; return b }), "sqp/3.10"},
		{"sends another token", changed(func(b []byte) []byte { b[4]++; return b }), "sqp/1.2"},
		{"numbers packets from 1", changed(func(b []byte) []byte { b[7]++; return b }), "sqp/1.2"},
		{"announces a packet that it does not send", changed(func(b []byte) []byte { b[8]++; return b }), "sqp/1.2"},
		{"answers version 0 as 1", requests(edited(`^(.{6}).(.)$`, "$1\x01$2")), "sqp/3.5"},
		{"answers other chunks with info", requests(edited(`^(.{7})[^\x00]$`, "$1\x01")), "sqp/2.1"},
		{"answers a query for nothing", requests(edited(`^(.{7})\x00$`, "$1\x01")), "sqp/3.7"},
		{"pads challenges", replies(edited(`^.{5}$`, "$0"+strings.Repeat("\x00", 100))), "sqp/1.1"},
		{"has one token for all clients", oneSlot(isTokenRequest), "sqp/1.13"},
		{"counts tokens up", countsUp(isTokenRequest, func(answer []byte, n int) []byte {
			return binary.BigEndian.AppendUint32(answer[:1:1], uint32(n))
		}, func(req []byte) (token []byte, n int) {
			if len(req) != 8 {
				return nil, 0
			}
			return req[1:5], int(binary.BigEndian.Uint32(req[1:]))
		}, func(answer []byte) []byte { return bytes.Clone(answer[1:]) }), "sqp/1.14"},
		{"ends texts with a zero byte", set(func(v *lobbywire.View) { v.Map += "\x00" }), "sqp/2.7"},
		{"has no name", set(func(v *lobbywire.View) { v.Name = "" }), "sqp/2.7"},
		{"has no port", set(func(v *lobbywire.View) { v.Port = 0 }), "sqp/2.7"},
		{"has less places than players", set(func(v *lobbywire.View) { v.Max = new(1) }), "sqp/2.7"},
		{"answers queries with a wrong token with a challenge",
			answers(func(right toy, from netip.AddrPort, req []byte) []byte {
				if answer := right.respond(from, req); answer != nil || len(req) != 8 {
					return answer
				}
				return right.respond(from, make([]byte, 5))
			}), "sqp/1.3"},
		{"takes a token once, and never gives another", func() func(toy) toy {
			used := map[netip.AddrPort]bool{}
			return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
				if used[from] {
					return nil
				}
				answer := right.respond(from, req)
				used[from] = len(answer) > 5
				return answer
			})
		}(), "sqp/6.1"},
		{"reads one byte of the version", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, edited(`^(.{5}).(..)$`, "$1\x00$2")(req))
			if len(req) == 8 && answer != nil {
				answer[5] = req[5]
			}
			return answer
		}), "sqp/3.9"},
		{"answers long requests", requests(edited(`^(.{8})..+$`, "$1")), "sqp/3.8"},
		{"has one byte for the length of any text", instead(bareSQP), "sqp/6.13"},
		{"cuts characters", func(toy) toy {
			return carrying(bareSQP(), func(text string) string { return text[:min(len(text), 255)] })
		}, "sqp/6.13"},
		{"leaves out empty texts", changed(func(b []byte) []byte {
			const empty, lengths = "\x00\x00\x00\x64\x01", 2
			if bytes.HasSuffix(b, []byte(empty)) {
				b = slices.Delete(b, len(b)-len(empty), len(b)-len(empty)+lengths)
				b[10] -= lengths
				b[14] -= lengths
			}
			return b
		}), "sqp/6.12"},
	}
}

// anyChallenge replaces the challenge of a query by the client's, if some bytes are
// right.
func anyChallenge(read func(sent, own uint32) bool) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		if len(req) == 14 {
			c, _ := gamespy2.ParseChallengeResponse(right.respond(from, append([]byte{0xfe, 0xfd, 9}, req[3:7]...)))
			if read(binary.BigEndian.Uint32(req[7:]), uint32(c.Number)) {
				req = bytes.Clone(req)
				binary.BigEndian.PutUint32(req[7:], uint32(c.Number))
			}
		}
		return right.respond(from, req)
	})
}

func isChallengeRequest(req []byte) bool { return len(req) >= 7 && req[2] == 9 }

// oneSlot answers queries only from the client that got the latest token.
func oneSlot(asksToken func(req []byte) bool) func(toy) toy {
	var last netip.AddrPort
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		answer := right.respond(from, req)
		if answer != nil && asksToken(req) {
			last = from
		}
		if from != last {
			return nil
		}
		return answer
	})
}

// countsUp sends the numbers 1, 2, 3 as tokens. Only the latest token of a client is valid. In the
// answer to a request for a token, put replaces it; tokenOf returns the bytes of the token in a
// query, and its number, and own the bytes of the right token.
func countsUp(asksToken func(req []byte) bool, put func(answer []byte, n int) []byte,
	tokenOf func(req []byte) (token []byte, n int), own func(answer []byte) []byte,
) func(toy) toy {
	var all [][]byte // right tokens
	last := map[netip.AddrPort]int{}
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		req = bytes.Clone(req)
		token, n := tokenOf(req)
		sent := bytes.Clone(token)
		if token != nil {
			if n < 1 || n != last[from] {
				return nil
			}
			copy(token, all[n-1])
		}
		answer := right.respond(from, req)
		switch {
		case answer == nil:
			return nil
		case token != nil:
			return bytes.Replace(answer, token, sent, 1)
		case !asksToken(req):
			return answer
		}
		all = append(all, own(answer))
		last[from] = len(all)
		return put(answer, len(all))
	})
}

func plantedGameSpy() []planted {
	return []planted{
		{"is silent", answers(func(toy, netip.AddrPort, []byte) []byte { return nil }), "gamespy2/1.2"},
		{"takes any challenge", anyChallenge(func(uint32, uint32) bool { return true }), "gamespy2/1.5"},
		{"reads two bytes of the challenge",
			anyChallenge(func(sent, own uint32) bool { return sent>>16 == own>>16 }), "gamespy2/1.8"},
		{"has one challenge for all ports of a host", answers(fromHost), "gamespy2/1.10"},
		{"has one challenge for all hosts", answers(fromPort), "gamespy2/1.11"},
		{"takes the challenge of another port", orOf(1), "gamespy2/1.10"},
		{"takes the challenge of another host", orOf(2), "gamespy2/1.11"},
		{"forgets the id", changed(func(b []byte) []byte { clear(b[1:5]); return b }), "gamespy2/1.3"},
		{"repeats half of the id", changed(func(b []byte) []byte { clear(b[3:5]); return b }), "gamespy2/1.3"},
		{"reverses the id", changed(func(b []byte) []byte { slices.Reverse(b[1:5]); return b }), "gamespy2/1.3"},
		{"has another type", changed(func(b []byte) []byte { b[0] = 5; return b }), "gamespy2/1.3"},
		{"ends too early", replaced("Player 1\x00", ""), "gamespy2/1.3"},
		{"does not end the last text", replaced("Player 1\x00", "Player 1"), "gamespy2/1.3"},
		{"does not end the info",
			replaced("2\x00maxplayers\x0016\x00\x00", "2\x00maxplayers\x0016\x00"), "gamespy2/1.3"},
		{"cuts answers", changed(func(b []byte) []byte { return b[:min(len(b), 512)] }), "gamespy2/6.4"},
		{"counts a player more", replaced("\x02player_", "\x03player_"), "gamespy2/1.3"},
		{"counts numplayers wrong", set(func(v *lobbywire.View) { v.Players = new(*v.Players + 1) }), "gamespy2/6.1"},
		{"counts numplayers one short",
			set(func(v *lobbywire.View) { v.Players = new(max(*v.Players-1, 0)) }), "gamespy2/5.2"},
		{"swaps map and mode", swap(level, mode), "gamespy2/6.1"},
		{"swaps name and version", swap(name, version), "gamespy2/6.1"},
		{"swaps players and places",
			set(func(v *lobbywire.View) { v.Players, v.Max = v.Max, v.Players }), "gamespy2/5.2"},
		{"has the port in the other byte order",
			set(func(v *lobbywire.View) { v.Port = v.Port<<8 | v.Port>>8 }), "gamespy2/6.1"},
		{"shows an old state", stale, "gamespy2/6.2"},
		{"caches answers for ever", cached, "gamespy2/6.2"},
		{"lists players who have left", func(right toy) toy {
			var roster []lobbywire.Player
			return set(func(v *lobbywire.View) {
				if len(v.Roster) < len(roster) {
					v.Roster = roster
				}
				roster = v.Roster
			})(right)
		}, "gamespy2/6.4"},
		{"loses the last player",
			set(func(v *lobbywire.View) { v.Roster = v.Roster[:max(len(v.Roster)-1, 0)] }), "gamespy2/6.1"},
		{"reverses the players", set(func(v *lobbywire.View) {
			v.Roster = slices.Clone(v.Roster)
			slices.Reverse(v.Roster)
		}), "gamespy2/6.1"},
		{"cuts names", set(func(v *lobbywire.View) {
			v.Roster = slices.Clone(v.Roster)
			for i, p := range v.Roster {
				v.Roster[i].Name = p.Name[:min(len(p.Name), 31)]
			}
		}), "gamespy2/6.4"},
		{"has no name", replaced("hostname", "host"), "gamespy2/1.3"},
		{"has no map", replaced("mapname", "map_name"), "gamespy2/2.4"},
		{"has numbers that are texts", replaced("maxplayers\x0016", "maxplayers\x00many"), "gamespy2/2.4"},
		{"has a challenge without its zero", replies(edited(`^(\x09.*).$`, "$1")), "gamespy2/1.1"},
		{"has a challenge with another id", replies(edited(`^(\x09...).`, "$1\x7f")), "gamespy2/1.1"},
		{"has an endless challenge", replies(edited(`^\x09.*`, "$0"+strings.Repeat("\x00", 500))), "gamespy2/4.3"},
		{"answers all types", requests(edited(`^(..)[^\x00]`, "$1\x09")), "gamespy2/1.13"},
		{"does not read the start", requests(edited(`^..(.)`, "\u00fe\u00fd$1")), "gamespy2/1.14"},
		{"answers a query for nothing", requests(edited(`^(.{11})\x00\x00\x00$`, "${1}\u00ff\x00\x00")), "gamespy2/2.5"},
		{"has one challenge for all clients", oneSlot(isChallengeRequest), "gamespy2/1.16"},
		{"counts challenges up", countsUp(isChallengeRequest, func(answer []byte, n int) []byte {
			return append(answer[:5:5], strconv.Itoa(100000+n)+"\x00"...)
		}, func(req []byte) (challenge []byte, n int) {
			if len(req) < 14 || req[2] != 0 {
				return nil, 0
			}
			return req[7:11], int(binary.BigEndian.Uint32(req[7:11])) - 100000
		}, func(answer []byte) []byte {
			c, _ := gamespy2.ParseChallengeResponse(answer)
			return binary.BigEndian.AppendUint32(nil, uint32(c.Number))
		}), "gamespy2/1.17"},
		{"reads the id as a text", requests(edited(`^...(\x00...|.\x00..|..\x00.|...\x00).*`, "")), "gamespy2/1.18"},
		{"reads the id as a positive number", requests(edited(`^...[\x80-\xff]....*`, "")), "gamespy2/1.19"},
		{"inverts the password", set(func(v *lobbywire.View) {
			if v.Password != nil {
				v.Password = new(!*v.Password)
			}
		}), "gamespy2/6.9"},
		{"has numbers with a fraction", replaced("maxplayers\x0016", "maxplayers\x0016.0"), "gamespy2/2.8"},
		{"has a port that is a text", replaced("hostport\x0025601", "hostport\x00:25601"), "gamespy2/2.8"},
		{"tells the password", replaced("gamever\x001.2\x00", "gamever\x001.2\x00password\x00secret\x00"), "gamespy2/2.8"},
		{"has two names", replaced("gamever\x00", "hostname\x00Old\x00gamever\x00"), "gamespy2/2.7"},
		{"has less places than players", replaced("maxplayers\x0016", "maxplayers\x001"), "gamespy2/5.2"},
		{"sends info whatever was requested", requests(edited(`^(.{11})...$`, "${1}\u00ff\x00\x00")), "gamespy2/1.3"},
		{"does not read the start of queries", requests(edited(`^..(.{12})$`, "\u00fe\u00fd$1")), "gamespy2/3.3"},
		{"has short challenges", shortChallenges, "gamespy2/4.1"},
		{"sends zero bytes", instead(bareGameSpy), "gamespy2/6.14"},
		{"counts players with a sign", replaced("\x00\x82player_", "\xff\x82player_"), "gamespy2/6.11"},
	}
}

func plantedGameAgent() []planted {
	return []planted{
		{"is silent", answers(func(toy, netip.AddrPort, []byte) []byte { return nil }), "gameagent/1.1"},
		{"answers all", answers(func(toy, netip.AddrPort, []byte) []byte { return []byte{4, '0'} }), "gameagent/1.2"},
		{"answers answers", requests(edited(`^[^\x00-\x04]`, "\x04")), "gameagent/1.5"},
		{"answers messages for masters", requests(edited(`^\x06$`, "\x04")), "gameagent/1.6"},
		{"spells a key", replaced("maxplayers", "max"), "gameagent/1.2"},
		{"has keys in another order",
			replaced(";level;Harbor;gametype;ctf", ";gametype;ctf;level;Harbor"), "gameagent/1.2"},
		{"has no first byte", replaced("0;players", ";players"), "gameagent/1.2"},
		{"a ping without players", replaced("\x042", "\x04"), "gameagent/1.4"},
		{"a ping with another number", replaced("\x042", "\x043"), "gameagent/1.4"},
		{"no end mark", replaced("50\x03\x04", "50\x03"), "gameagent/1.3"},
		{"a record has no number", replaced("frags_1", "frags"), "gameagent/1.3"},
		{"two records have one number", replaced("_1\x02", "_0\x02"), "gameagent/1.3"},
		{"does not end a text", replaced("Player 1^r\x03", "Player 1^r"), "gameagent/1.3"},
		{"bytes after the end mark", replaced("50\x03\x04", "50\x03\x04\x00"), "gameagent/1.3"},
		{"cuts answers", changed(func(b []byte) []byte { return b[:min(len(b), 512)] }), "gameagent/6.3"},
		{"counts a player more", replaced("players;2;", "players;3;"), "gameagent/1.4"},
		{"counts a player more everywhere", set(func(v *lobbywire.View) {
			v.Roster = append(slices.Clone(v.Roster), lobbywire.Player{Name: "Player 9"})
		}), "gameagent/6.1"},
		{"swaps map and mode", swap(level, mode), "gameagent/6.1"},
		{"swaps name and map", swap(name, level), "gameagent/6.1"},
		{"has less places than players", set(func(v *lobbywire.View) { v.Max = new(1) }), "gameagent/5.2"},
		{"has another limit", set(func(v *lobbywire.View) { v.Max = new(*v.Max + 1) }), "gameagent/6.1"},
		{"limits to a byte", set(func(v *lobbywire.View) { v.Max = new(*v.Max & 255) }), "gameagent/6.5"},
		{"shows an old state", stale, "gameagent/6.2"},
		{"caches answers for ever", cached, "gameagent/6.2"},
		{"cuts names", set(func(v *lobbywire.View) { v.Name = v.Name[:min(len(v.Name), 100)] }), "gameagent/6.4"},
		{"wants requests of one byte", requests(edited(`^..+`, "")), "gameagent/3.1"},
		{"dies of an empty datagram", func() func(toy) toy {
			dead := false
			return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
				dead = dead || len(req) == 0
				if dead {
					return nil
				}
				return right.respond(from, req)
			})
		}(), "gameagent/3.2"},
		{"answers one host", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			if from.Addr() == netip.MustParseAddr("198.51.100.8") {
				return nil
			}
			return right.respond(from, req)
		}), "gameagent/5.1"},
		{"sends semicolons", instead(bareGameAgent), "gameagent/6.14"},
		{"leaves out empty values", replaced(";level;;", ";level;"), "gameagent/6.12"},
	}
}
