package check

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
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

// changed changes answers that are longer than those to challenge requests.
func changed(change func(answer []byte) []byte) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		answer := right.respond(from, req)
		if len(answer) > 16 {
			answer = change(answer)
		}
		return answer
	})
}

// replaced changes a text in answers.
func replaced(old, with string) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		answer := right.respond(from, req)
		if answer == nil {
			return nil
		}
		return bytes.ReplaceAll(answer, []byte(old), []byte(with))
	})
}

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

// fromPort answers as if clients were at another port; 0 is the one they have.
func fromHost(right toy, from netip.AddrPort, req []byte) []byte {
	return right.respond(netip.AddrPortFrom(from.Addr(), 0), req)
}

func fromPort(right toy, from netip.AddrPort, req []byte) []byte {
	return right.respond(netip.AddrPortFrom(addresses[0].Addr(), from.Port()), req)
}

// orOf also takes the tokens of another client.
func orOf(client int) func(toy) toy {
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		if answer := right.respond(from, req); answer != nil {
			return answer
		}
		answer := right.respond(addresses[client], req)
		return answer
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
		{"answers answers", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			if len(req) > 16 {
				req = []byte{1, req[1], req[2], req[3], req[4], 0, 1, 1}
			}
			return right.respond(from, req)
		}), "sqp/1.11"},
		{"answers unknown types", requests(func(req []byte) []byte {
			if len(req) == 8 {
				req[0] = 1
			}
			return req
		}), "sqp/1.12"},
		{"takes a byte too many", requests(func(req []byte) []byte {
			if len(req) == 9 {
				return req[:8]
			}
			return req
		}), "sqp/3.1"},
		{"takes a byte too few", requests(func(req []byte) []byte {
			if len(req) == 7 {
				return append(req, 1)
			}
			return req
		}), "sqp/3.2"},
		{"takes long challenge requests", requests(func(req []byte) []byte {
			if len(req) == 6 {
				return req[:5]
			}
			return req
		}), "sqp/3.4"},
		{"appends a zero", changed(func(b []byte) []byte { return append(b, 0) }), "sqp/1.2"},
		{"cuts answers", changed(func(b []byte) []byte { return b[:min(len(b), 512)] }), "sqp/6.4"},
		{"cuts texts and counts the rest",
			set(func(v *lobbywire.View) { v.Name = v.Name[:min(len(v.Name), 63)] }), "sqp/6.4"},
		{"counts a text one short", changed(func(b []byte) []byte { b[19]--; return b }), "sqp/1.2"},
		{"counts the chunk one short", changed(func(b []byte) []byte { b[14]--; return b }), "sqp/1.2"},
		{"counts the packet one short", changed(func(b []byte) []byte { b[10]--; return b }), "sqp/1.2"},
		{"has no room for a text of 255 bytes", changed(func(b []byte) []byte {
			if b[19] == 255 {
				b[19] = 0
			}
			return b
		}), "sqp/6.4"},
		{"counts a player more", set(func(v *lobbywire.View) { v.Players = new(*v.Players + 1) }), "sqp/6.1"},
		{"has the port in the other byte order", changed(func(b []byte) []byte {
			slices.Reverse(b[len(b)-2:])
			return b
		}), "sqp/6.1"},
		{"has the players in the other byte order", changed(func(b []byte) []byte {
			slices.Reverse(b[15:17])
			return b
		}), "sqp/2.7"},
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
		{"sends another version", changed(func(b []byte) []byte { b[6]++; return b }), "sqp/1.2"},
		{"sends another token", changed(func(b []byte) []byte { b[4]++; return b }), "sqp/1.2"},
		{"numbers packets from 1", changed(func(b []byte) []byte { b[7]++; return b }), "sqp/1.2"},
		{"announces a packet that it does not send", changed(func(b []byte) []byte { b[8]++; return b }), "sqp/1.2"},
		{"answers version 0 as 1", requests(func(req []byte) []byte {
			if len(req) == 8 {
				req[6] = 1
			}
			return req
		}), "sqp/3.5"},
		{"answers other chunks with info", requests(func(req []byte) []byte {
			if len(req) == 8 && req[7] != 0 {
				req[7] = 1
			}
			return req
		}), "sqp/2.1"},
		{"answers a query for nothing", requests(func(req []byte) []byte {
			if len(req) == 8 && req[7] == 0 {
				req[7] = 1
			}
			return req
		}), "sqp/3.7"},
		{"pads challenges", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if len(answer) == 5 {
				answer = append(answer, make([]byte, 100)...)
			}
			return answer
		}), "sqp/1.1"},
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
		}(), "sqp/1.1"},
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

// oneSlot answers queries only from the client that has got a token last.
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

// countsUp gives out the numbers 1, 2, 3 for tokens. A client's last one counts. In the
// answer to a request for a token, put replaces it; tokenOf returns the bytes of the token in a query, and its number,
// and own the bytes of the right token.
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
		{"has a challenge without its zero", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if len(answer) > 0 && answer[0] == 9 {
				answer = answer[:len(answer)-1]
			}
			return answer
		}), "gamespy2/1.1"},
		{"has a challenge with another id", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if len(answer) > 0 && answer[0] == 9 {
				answer[4]++
			}
			return answer
		}), "gamespy2/1.1"},
		{"has an endless challenge", answers(func(right toy, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if len(answer) > 0 && answer[0] == 9 {
				answer = append(answer, make([]byte, 500)...)
			}
			return answer
		}), "gamespy2/4.3"},
		{"answers all types", requests(func(req []byte) []byte {
			if len(req) > 2 && req[2] != 0 {
				req[2] = 9
			}
			return req
		}), "gamespy2/1.13"},
		{"does not read the start", requests(func(req []byte) []byte {
			if len(req) > 2 {
				req[0], req[1] = 0xfe, 0xfd
			}
			return req
		}), "gamespy2/1.14"},
		{"answers requests of any length",
			requests(func(req []byte) []byte { return req[:min(len(req), 255)] }), "gamespy2/3.1"},
		{"answers a query for nothing", requests(func(req []byte) []byte {
			if len(req) == 14 && bytes.Equal(req[11:], []byte{0, 0, 0}) {
				req[11] = 0xff
			}
			return req
		}), "gamespy2/2.5"},
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
		{"reads the id as a text", requests(func(req []byte) []byte {
			if len(req) >= 7 && bytes.IndexByte(req[3:7], 0) >= 0 {
				return nil
			}
			return req
		}), "gamespy2/1.18"},
		{"reads the id as a positive number", requests(func(req []byte) []byte {
			if len(req) >= 7 && req[3] > 127 {
				return nil
			}
			return req
		}), "gamespy2/1.19"},
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
		{"sends info whatever was requested", requests(func(req []byte) []byte {
			if len(req) == 14 {
				req[11], req[12], req[13] = 0xff, 0, 0
			}
			return req
		}), "gamespy2/1.3"},
	}
}

func plantedGameAgent() []planted {
	return []planted{
		{"is silent", answers(func(toy, netip.AddrPort, []byte) []byte { return nil }), "gameagent/1.1"},
		{"answers all", answers(func(toy, netip.AddrPort, []byte) []byte { return []byte{4, '0'} }), "gameagent/1.2"},
		{"answers answers", requests(func(req []byte) []byte {
			if len(req) > 0 && req[0] > 4 {
				req[0] = 4
			}
			return req
		}), "gameagent/1.5"},
		{"answers messages for masters", requests(func(req []byte) []byte {
			if len(req) == 1 && req[0] == 6 {
				req[0] = 4
			}
			return req
		}), "gameagent/1.6"},
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
		{"wants requests of one byte", requests(func(req []byte) []byte {
			if len(req) > 1 {
				return nil
			}
			return req
		}), "gameagent/3.1"},
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
	}
}

// Each mistake that is planted is found.
func TestPlanted(t *testing.T) { synctest.Test(t, findPlanted) }

func findPlanted(t *testing.T) {
	total, missed := 0, 0
	for _, tt := range []struct {
		suite func() *Suite
		toy   func() toy
		all   []planted
	}{
		{sqpSuite, toySQP, plantedSQP()}, {gameSpy2Suite, toyGameSpy, plantedGameSpy()},
		{gameAgentSuite, toyGameAgent, plantedGameAgent()},
	} {
		for _, p := range tt.all {
			total++
			if !wantFound(t, p.name, p.found, p.plant(tt.toy()).check(tt.suite())) {
				missed++
			}
		}
	}
	for _, tt := range []struct {
		suite func() *Suite
		toy   func() talker
		all   []plantedStream
	}{{bombermanSuite, toyBomberman, plantedBomberman()}, {warzoneSuite, toyWarzone, plantedWarzone()}} {
		for _, p := range tt.all {
			total++
			peer := tt.toy()
			peer.change = p.change
			if !wantFound(t, p.name, p.found, tt.suite().Run(t.Context(), peer, Options{Robust: true})) {
				missed++
			}
		}
	}
	const least = 50
	if total < least {
		t.Errorf("%d mistakes are planted, want %d at least", total, least)
	}
	t.Logf("%d mistakes, %d missed", total, missed)
}

// wantFound reports whether a case found a mistake.
func wantFound(t *testing.T, name, want string, r Report) bool {
	t.Helper()
	for _, f := range r.Findings {
		if f.Result != Fail {
			continue
		}
		if f.ID != want {
			t.Errorf("%q is found by %s (%s: %s), want %s", name, f.ID, f.Sentence, f.Why, want)
		}
		return true
	}
	t.Errorf("%q is not found, want %s", name, want)
	return false
}

// A plantedStream is a mistake in the answers of a toy for connections.
type plantedStream struct {
	name   string
	change func(sent, answers []byte) []byte
	found  string
}

// replacing changes a text in a stream.
func replacing(old, with string) func(sent, answers []byte) []byte {
	return func(_, b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(with)) }
}

// toSent changes the answers to streams with a text.
func toSent(text string, change func(sent, answers []byte) []byte) func(sent, answers []byte) []byte {
	return func(sent, b []byte) []byte {
		if bytes.Contains(sent, []byte(text)) {
			return change(sent, b)
		}
		return b
	}
}

// nothing leaves out all answers.
func nothing([]byte, []byte) []byte { return nil }

func plantedBomberman() []plantedStream {
	empties := func([]byte, []byte) []byte {
		return framed(`{"command":"msRQueryGameServers","content":{"servers":[]}}`)
	}
	return []plantedStream{
		{"is silent", func([]byte, []byte) []byte { return nil }, "bomberman/1.1"},
		{"answers twice", func(_, b []byte) []byte { return append(b, b...) }, "bomberman/1.1"},
		{"forgets the line end", replacing("\n", " "), "bomberman/1.1"},
		{"counts one short", replacing("59{", "58{"), "bomberman/1.1"},
		{"counts one more", replacing("59{", "60{"), "bomberman/1.1"},
		{"sends a query back", func(_, b []byte) []byte {
			if len(b) == 0 {
				return b
			}
			return []byte("33{\"command\":\"msQueryGameServers\"}\n")
		}, "bomberman/1.1"},
		{"answers a connection once", func(_, b []byte) []byte {
			if i := bytes.IndexByte(b, '\n'); i >= 0 {
				return b[:i+1]
			}
			return b
		}, "bomberman/1.2"},
		{"lists another port", replacing(`"port":2`, `"port":1`), "bomberman/1.3"},
		{"lists another address", replacing("192.0.2.7", "192.0.2.9"), "bomberman/1.3"},
		{"cuts names", replacing("nnnnnnnnnn", "n"), "bomberman/1.5"},
		{"escapes for HTML", replacing(`\u003c`, `\u0026lt;`), "bomberman/1.6"},
		{"swaps players and places", replacing(`"current":3,"max":4`, `"current":4,"max":3`), "bomberman/1.8"},
		{"ignores updates", func(sent, b []byte) []byte {
			b = bytes.ReplaceAll(b, []byte(`"current":3`), []byte(`"current":0`))
			return b
		}, "bomberman/1.8"},
		{"lists nothing", func(_, b []byte) []byte {
			if len(b) == 0 {
				return b
			}
			return empties(nil, nil)
		}, "bomberman/1.2"},
		{"answers commands in any case", func(sent, b []byte) []byte {
			if bytes.Contains(sent, []byte("MSQUERY")) {
				return framed(`{"command":"msRQueryGameServers","content":{"servers":[]}}`)
			}
			return b
		}, "bomberman/3.10"},
		{"closes after unknown commands", func(sent, b []byte) []byte {
			if bytes.Contains(sent, []byte("msUnknown")) {
				return nil
			}
			return b
		}, "bomberman/3.1"},
		{"has no more players than places", replacing(`"current":5,"max":2`, `"current":2,"max":2`), "bomberman/1.8"},
		{"registers one game", toSent("msUnregister", replacing(`"name":"D"`, `"name":"Duel"`)), "bomberman/1.9"},
		{"reads lines", toSent("{\n", nothing), "bomberman/2.2"},
		{"has no escapes", toSent(`\u0051`, nothing), "bomberman/2.2"},
		{"drops a game for a wrong registration", toSent(`"serverPort":0`, empties), "bomberman/3.3"},
		{"lists addresses that are none", toSent("192.0.2.256", replacing(`"Duel"`, `"Bad"`)), "bomberman/3.12"},
		{"lists wrong numbers", toSent(`"max":9`, replacing(`"max":4`, `"max":9`)), "bomberman/3.13"},
		{"closes after an update of no game", toSent(`"max":9`, nothing), "bomberman/3.13"},
		{"answers lists", func(sent, b []byte) []byte {
			if bytes.Contains(sent, []byte("msRQuery")) {
				return sent
			}
			return b
		}, "bomberman/2.1"},
	}
}

// gameSize is the size of a game in a list.
const gameSize = 814

// inGame changes the list with one game that ends a stream.
func inGame(change func(game []byte)) func(sent, answers []byte) []byte {
	return func(_, b []byte) []byte {
		if at := len(b) - 8 - gameSize; at >= 0 {
			change(b[at : at+gameSize])
		}
		return b
	}
}

func plantedWarzone() []plantedStream {
	return []plantedStream{
		{"swaps players and places", inGame(func(game []byte) {
			const most, current = 116, 120
			for i := range 4 {
				game[most+i], game[current+i] = game[current+i], game[most+i]
			}
		}), "warzone/1.4"},
		{"does not end texts", inGame(func(game []byte) {
			const start, end = 4, 68 // of the name
			copy(game[start:end], bytes.ReplaceAll(game[start:end], []byte{0}, []byte(" ")))
		}), "warzone/1.4"},
		{"believes the host", inGame(func(game []byte) {
			const start, end = 76, 116 // of the address
			clear(game[start:end])
			copy(game[start:], "203.0.113.9")
		}), "warzone/1.7"},
		{"lists the port with the address",
			replacing("192.0.2.7\x00\x00\x00\x00\x00\x00", "192.0.2.7:50000"), "warzone/1.4"},
		{"lists addresses of IPv6",
			replacing("192.0.2.7\x00\x00\x00\x00\x00\x00\x00", "::ffff:192.0.2.7"), "warzone/1.4"},
		{"has no size", inGame(func(game []byte) { clear(game[68:72]) }), "warzone/1.4"},
		{"has no netcode", inGame(func(game []byte) { clear(game[778:786]) }), "warzone/1.4"},
		{"closes after an id", func(sent, b []byte) []byte {
			if bytes.HasPrefix(sent, []byte("gaId")) {
				return b[:min(len(b), 4)]
			}
			return b
		}, "warzone/1.4"},
		{"is silent", func([]byte, []byte) []byte { return nil }, "warzone/1.1"},
		{"leaves out the status", func(_, b []byte) []byte {
			return bytes.TrimSuffix(b, []byte("\x00\x00\x00\xc8\x00\x00\x00\x00"))
		}, "warzone/1.1"},
		{"gives out no ids", func(_, b []byte) []byte {
			return append(make([]byte, min(len(b), 4)), b[min(len(b), 4):]...)
		}, "warzone/1.2"},
		{"gives out one id", func(_, b []byte) []byte {
			if len(b) == 4 {
				b[3] = 1
			}
			return b
		}, "warzone/1.3"},
		{"keeps the address of the host", func(_, b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("192.0.2.7"), make([]byte, 9))
		}, "warzone/1.4"},
		{"counts a text one short", replacing("\x07Welcome", "\x06Welcome"), "warzone/1.4"},
		{"has the port in the other byte order", replacing("\x64\x01", "\x01\x64"), "warzone/1.4"},
		{"counts a player more", replacing("\x00\x0a\x00\x00\x00\x02", "\x00\x0a\x00\x00\x00\x03"), "warzone/1.4"},
		{"shows the map as the name", replacing("Duel\x00\x00", "Harbor"), "warzone/1.4"},
		{"counts games one more", func(_, b []byte) []byte {
			if at := len(b) - 8 - gameSize - 4; at >= 0 {
				b[at+3]++
			}
			return b
		}, "warzone/1.4"},
		{"answers Keep", func(sent, b []byte) []byte {
			if n := bytes.Count(sent, []byte("keep\x00")); n > 0 {
				return append(b, b[:min(len(b), 15)]...)
			}
			return b
		}, "warzone/1.11"},
		{"lists games for ever", func() func(sent, b []byte) []byte {
			var last []byte
			return func(sent, b []byte) []byte {
				const status = 4 + 8 + len("Welcome")
				if !bytes.Equal(sent, []byte("list\x00")) {
					last = b[min(len(b), status):]
				} else if len(last) > gameSize {
					return last
				}
				return b
			}
		}(), "warzone/1.12"},
		{"cuts the names of players", replacing("hhhhhhhhhhhhhhhhhhhh", "h"+string(make([]byte, 19))), "warzone/1.7"},
		{"lists for unknown commands", func(sent, b []byte) []byte {
			if bytes.HasPrefix(sent, []byte("xxxx")) {
				return []byte("\x00\x00\x00\x00\x00\x00\x00\xc8\x00\x00\x00\x00")
			}
			return b
		}, "warzone/3.1"},
	}
}

// Mistakes of the legacy form, which the toys do not have, are found.
func TestPlantedLegacy(t *testing.T) {
	status, players := string(mustBinary(gameagent.StatusRequest{})), string(mustBinary(gameagent.PlayersRequest{}))
	for _, tt := range []struct{ name, query, old, with, found string }{
		{"has another name in the info", "info", "Duel", "Old", "gameagent/2.6"},
		{"has no name in the info", "info", `\hostname\`, `\host\`, "gameagent/2.6"},
		{"has a port that is a text", "", `\hostport\25601`, `\hostport\x`, "gameagent/2.7"},
		{"has the port 0", "", `\hostport\25601`, `\hostport\0`, "gameagent/2.7"},
		{"answers players with other keys", "players", `\player_0\`, `\hostname\Duel\player_0\`, "gameagent/2.8"},
		{"has another player in players", "players", "Player 0", "Old", "gameagent/2.8"},
		{"has two names", `\status\`, `\mapname\`, `\hostname\Old\mapname\`, "gameagent/2.9"},
		{"has an unknown key twice", `\status\`, `\mapname\`, `\x\1\x\2\mapname\`, "gameagent/2.9"},
		{"has no queryid", `\status\`, `\queryid\333.1`, "", "gameagent/2.9"},
		{"ends with a zero byte", `\status\`, `\queryid\333.1`, "\\queryid\\333.1\x00", "gameagent/2.9"},
		{"ends with a line feed", `\status\`, `\queryid\333.1`, "\\queryid\\333.1\n", "gameagent/2.9"},
		{"has another name in the legacy form", "\\", "Duel", "Old", "gameagent/2.4"},
		{"has another name in the native form", status, "Duel", "Old", "gameagent/2.4"},
		{"has another player in the native form", players, "Player 1", "Old", "gameagent/2.4"},
	} {
		server := &gameagentnet.Server{Limits: lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}}
		suite := gameAgentSuite()
		server.SetView(suite.edges.States()[0].View)
		peer := editing(server.Respond, func(req, b []byte) []byte {
			if bytes.Contains(req, []byte(tt.query)) {
				b = bytes.ReplaceAll(b, []byte(tt.old), []byte(tt.with))
			}
			return b
		})
		wantFound(t, tt.name, tt.found, suite.Run(t.Context(), peer, Options{}))
	}
}

// A server of the legacy form without a map is found, and one with an empty map is not.
func TestLegacyMap(t *testing.T) {
	for with, want := range map[string]Result{`\mapname\`: Pass, `\map\x`: Fail} {
		server := &gameagentnet.Server{Limits: lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}}
		server.SetView(lobbywire.View{Name: "Duel", Map: "Harbor", Players: new(0), Max: new(4)})
		peer := responder{func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
			if !bytes.HasPrefix(req, []byte(`\`)) {
				return dst
			}
			for _, b := range server.Respond(from, req, nil) {
				dst = append(dst, bytes.ReplaceAll(b, []byte(`\mapname\Harbor`), []byte(with)))
			}
			return dst
		}}
		r := gameAgentSuite().Run(t.Context(), peer, Options{Match: "gameagent/2.5"})
		if f := r.Findings[0]; f.Result != want {
			t.Errorf("%s: %s %s, want %s", with, f.Result, f.Why, want)
		}
	}
}

// editing is a server whose answers are changed.
func editing(respond func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte, edit func(req, answer []byte) []byte,
) Peer {
	return responder{func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		for _, b := range respond(from, req, nil) {
			dst = append(dst, edit(req, b))
		}
		return dst
	}}
}

// Players and teams of SQP without names are found.
func TestPlantedNames(t *testing.T) {
	for name, plant := range map[string]func(v *lobbywire.View){
		"has a player without a name": func(v *lobbywire.View) { v.Roster[1].Name = "" },
		"has players without names":   func(v *lobbywire.View) { v.Roster[0].Name, v.Roster[1].Name = "", "" },
		"has a team without a name":   func(v *lobbywire.View) { v.Teams[0].Name = "" },
	} {
		server := &sqpnet.Server{Limits: lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}}
		v := details()[1].View
		plant(&v)
		server.SetView(v)
		wantFound(t, name, "sqp/2.8", sqpSuite().Run(t.Context(), responder{server.Respond}, Options{}))
	}
}
