package masters

import (
	"bytes"
	"sync"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A plantedStream is a mistake in the answers of a toy for connections.
type plantedStream = planted[func(sent, answers []byte) []byte]

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
		return check.Framed(`{"command":"msRQueryGameServers","content":{"servers":[]}}`)
	}
	return []plantedStream{
		{"is silent", nothing, "bomberman/1.1"},
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
		{"ignores updates", replacing(`"current":3`, `"current":0`), "bomberman/1.8"},
		{"lists nothing", func(_, b []byte) []byte {
			if len(b) == 0 {
				return b
			}
			return empties(nil, nil)
		}, "bomberman/1.2"},
		{"answers commands in any case", toSent("MSQUERY", empties), "bomberman/3.10"},
		{"closes after unknown commands", toSent("msUnknown", nothing), "bomberman/3.1"},
		{"has no more players than places", replacing(`"current":5,"max":2`, `"current":2,"max":2`), "bomberman/1.8"},
		{"registers one game", toSent("msUnregister", replacing(`"name":"D"`, `"name":"Duel"`)), "bomberman/1.9"},
		{"reads lines", toSent("{\n", nothing), "bomberman/2.2"},
		{"has no escapes", toSent(`\u0051`, nothing), "bomberman/2.2"},
		{"drops a game for a wrong registration", toSent(`"serverPort":0`, empties), "bomberman/3.3"},
		{"lists addresses that are none", toSent("192.0.2.256", replacing(`"Duel"`, `"Bad"`)), "bomberman/3.12"},
		{"lists wrong numbers", toSent(`"max":9`, replacing(`"max":4`, `"max":9`)), "bomberman/3.13"},
		{"closes after an update of no game", toSent(`"max":9`, nothing), "bomberman/3.13"},
		{"answers lists", toSent("msRQuery", func(sent, _ []byte) []byte { return sent }), "bomberman/2.1"},
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
		{"is silent", nothing, "warzone/1.1"},
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
			var mu sync.Mutex
			var last []byte
			return func(sent, b []byte) []byte {
				mu.Lock()
				defer mu.Unlock()
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
