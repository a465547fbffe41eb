package wzproposal_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// manyGames returns a list of n games.
func manyGames(n int) wzproposal.GameList {
	m := wzproposal.GameList{Games: make([]wzproposal.Game, n)}
	for i := range m.Games {
		m.Games[i] = bananaGame()
		m.Games[i].IP = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		m.Games[i].Name = fmt.Sprintf("Game %02d of many", i)
	}
	return m
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest  wzproposal.Request
	sinkOpenGame wzproposal.OpenGame
	sinkStart    wzproposal.StartGame
	sinkFrame    wzproposal.Frame
	sinkList     wzproposal.GameList
	sinkGames    []wzproposal.Game
	sinkBytes    []byte
)

// bench runs a benchmark in both encodings on the wire form of m. run returns
// what does the work on it, and whether that was done.
func bench(b *testing.B, m wzproposal.Message, run func(o wzproposal.Options, in []byte) (ok bool)) {
	for _, e := range encodings {
		b.Run(e.String(), func(b *testing.B) {
			in := mustAppend(b, e, m)
			o := wzproposal.Options{Encoding: e}
			codectest.BenchParse(b, in, func(in []byte) (any, bool) { return nil, run(o, in) })
		})
	}
}

func BenchmarkParseRequest(b *testing.B) {
	bench(b, theGame(), func(o wzproposal.Options, in []byte) (ok bool) {
		var err error
		sinkRequest, err = o.ParseRequest(in)
		return err == nil
	})
}

func BenchmarkParseOpenGame(b *testing.B) {
	bench(b, theGame(), func(o wzproposal.Options, in []byte) (ok bool) {
		var err error
		sinkOpenGame, err = o.ParseOpenGame(in)
		return err == nil
	})
}

// BenchmarkParseOpenGameFloor reads the same request by hand: bounds checked,
// one copy for the texts, nothing else.
func BenchmarkParseOpenGameFloor(b *testing.B) {
	bench(b, theGame(), func(o wzproposal.Options, in []byte) (ok bool) {
		if o.Encoding == wzproposal.Binary {
			sinkOpenGame, ok = parseOpenGameFrameByHand(in)
		} else {
			sinkOpenGame, ok = parseOpenGameLineByHand(in)
		}
		return ok
	})
}

func parseOpenGameLineByHand(b []byte) (m wzproposal.OpenGame, ok bool) {
	n := bytes.IndexByte(b, '\n')
	if n < 0 || n > wzproposal.MaxLine {
		return m, false
	}
	s := string(b[:n])
	var columns [5]string
	if !splitLineByHand(s, columns[:]) || columns[0] != "OPENGAME" {
		return m, false
	}
	port, err := strconv.ParseUint(columns[1], 10, 16)
	if err != nil || port == 0 {
		return m, false
	}
	players, err := strconv.ParseUint(columns[4], 10, 32)
	if err != nil {
		return m, false
	}
	return wzproposal.OpenGame{Port: uint16(port), Name: columns[2], Map: columns[3], MaxPlayers: uint32(players)}, true
}

// splitLineByHand cuts s at its TABs into exactly as many columns as there are.
func splitLineByHand(s string, columns []string) bool {
	for i := range len(columns) - 1 {
		n := 0
		for n < len(s) && s[n] != '\t' {
			n++
		}
		if n == len(s) {
			return false
		}
		columns[i] = s[:n]
		s = s[n+1:]
	}
	columns[len(columns)-1] = s
	return true
}

func parseOpenGameFrameByHand(b []byte) (m wzproposal.OpenGame, ok bool) {
	if len(b) < 2 || b[0] != 2 || int(b[1]) != len(b)-2 {
		return m, false
	}
	var payloads [4]string
	if !splitMessageByHand(string(b[2:]), payloads[:]) {
		return m, false
	}
	port, err := strconv.ParseUint(payloads[0], 10, 16)
	if err != nil || port == 0 {
		return m, false
	}
	players, err := strconv.ParseUint(payloads[3], 10, 32)
	if err != nil {
		return m, false
	}
	return wzproposal.OpenGame{Port: uint16(port), Name: payloads[1], Map: payloads[2],
		MaxPlayers: uint32(players)}, true
}

// splitMessageByHand cuts a message into exactly as many payloads as there are.
func splitMessageByHand(s string, payloads []string) bool {
	for i := range payloads {
		if len(s) == 0 || 1+int(s[0]) > len(s) {
			return false
		}
		payloads[i] = s[1 : 1+int(s[0])]
		s = s[1+int(s[0]):]
	}
	return s == ""
}

func BenchmarkAppendOpenGame(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wzproposal.MaxLine)
	bench(b, m, func(o wzproposal.Options, _ []byte) (ok bool) {
		var err error
		if o.Encoding == wzproposal.Binary {
			sinkBytes, err = wzproposal.Binary.Append(buf, m)
		} else {
			sinkBytes, err = m.AppendBinary(buf)
		}
		return err == nil
	})
}

// BenchmarkAppendOpenGameFloor writes the same request by hand: texts checked,
// nothing else.
func BenchmarkAppendOpenGameFloor(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wzproposal.MaxLine)
	bench(b, m, func(o wzproposal.Options, in []byte) (ok bool) {
		if o.Encoding == wzproposal.Binary {
			sinkBytes = appendOpenGameFrameByHand(buf, m)
		} else {
			sinkBytes = appendOpenGameLineByHand(buf, m)
		}
		return len(sinkBytes) == len(in)
	})
}

// cleanByHand reports whether s breaks no line.
func cleanByHand(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return utf8.ValidString(s)
}

func appendOpenGameLineByHand(b []byte, m wzproposal.OpenGame) []byte {
	if !cleanByHand(m.Name) || !cleanByHand(m.Map) {
		return nil
	}
	b = append(b, "OPENGAME\t"...)
	b = strconv.AppendUint(b, uint64(m.Port), 10)
	b = append(b, '\t')
	b = append(b, m.Name...)
	b = append(b, '\t')
	b = append(b, m.Map...)
	b = append(b, '\t')
	b = strconv.AppendUint(b, uint64(m.MaxPlayers), 10)
	return append(b, '\n')
}

func appendOpenGameFrameByHand(b []byte, m wzproposal.OpenGame) []byte {
	if !cleanByHand(m.Name) || !cleanByHand(m.Map) {
		return nil
	}
	start := len(b)
	b = append(b, 2, 0)
	b = appendNumberByHand(b, uint64(m.Port))
	b = append(b, byte(len(m.Name)))
	b = append(b, m.Name...)
	b = append(b, byte(len(m.Map)))
	b = append(b, m.Map...)
	b = appendNumberByHand(b, uint64(m.MaxPlayers))
	b[start+1] = byte(len(b) - start - 2)
	return b
}

func appendNumberByHand(b []byte, v uint64) []byte {
	at := len(b)
	b = append(b, 0)
	b = strconv.AppendUint(b, v, 10)
	b[at] = byte(len(b) - at - 1)
	return b
}

func BenchmarkParseGameList(b *testing.B) {
	bench(b, manyGames(100), func(o wzproposal.Options, in []byte) (ok bool) {
		var err error
		sinkList, err = o.ParseGameList(in)
		return err == nil
	})
}

// BenchmarkParseGameListFloor reads the same list by hand.
func BenchmarkParseGameListFloor(b *testing.B) {
	bench(b, manyGames(100), func(o wzproposal.Options, in []byte) (ok bool) {
		if o.Encoding == wzproposal.Binary {
			sinkGames, ok = parseFramesByHand(in)
		} else {
			sinkGames, ok = parseRowsByHand(in)
		}
		return ok
	})
}

func parseRowsByHand(b []byte) (games []wzproposal.Game, ok bool) {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	if !ok || !bytes.HasPrefix(head, []byte("COUNT\t")) {
		return nil, false
	}
	n, err := strconv.Atoi(string(head[6:]))
	if err != nil || n > wzproposal.MaxGames || n > len(rest) {
		return nil, false
	}
	s := string(rest)
	games = make([]wzproposal.Game, n)
	for i := range games {
		end := bytes.IndexByte(rest, '\n')
		var columns [6]string
		if end < 0 || !splitLineByHand(s[:end], columns[:]) {
			return nil, false
		}
		m := &games[i]
		m.IP, err = netip.ParseAddr(columns[0])
		if err != nil {
			return nil, false
		}
		port, err := strconv.ParseUint(columns[1], 10, 16)
		if err != nil || port == 0 {
			return nil, false
		}
		players, err := strconv.ParseUint(columns[4], 10, 32)
		if err != nil {
			return nil, false
		}
		m.Port, m.Name, m.Map = uint16(port), columns[2], columns[3]
		m.MaxPlayers, m.Status = uint32(players), wzproposal.Status(columns[5])
		s, rest = s[end+1:], rest[end+1:]
	}
	return games, len(rest) == 0
}

func parseFramesByHand(b []byte) (games []wzproposal.Game, ok bool) {
	if len(b) < 2 || b[0] != 5 || 2+int(b[1]) > len(b) {
		return nil, false
	}
	s := string(b)
	var count [1]string
	if !splitMessageByHand(s[2:2+int(s[1])], count[:]) {
		return nil, false
	}
	n, err := strconv.Atoi(count[0])
	if err != nil || n > wzproposal.MaxGames || n > len(s) {
		return nil, false
	}
	s = s[2+int(s[1]):]
	games = make([]wzproposal.Game, n)
	for i := range games {
		var payloads [6]string
		if len(s) < 2 || s[0] != 6 || 2+int(s[1]) > len(s) || !splitMessageByHand(s[2:2+int(s[1])], payloads[:]) {
			return nil, false
		}
		s = s[2+int(s[1]):]
		m := &games[i]
		m.IP, err = netip.ParseAddr(payloads[0])
		if err != nil {
			return nil, false
		}
		port, err := strconv.ParseUint(payloads[1], 10, 16)
		if err != nil || port == 0 {
			return nil, false
		}
		players, err := strconv.ParseUint(payloads[4], 10, 32)
		if err != nil {
			return nil, false
		}
		m.Port, m.Name, m.Map = uint16(port), payloads[2], payloads[3]
		m.MaxPlayers, m.Status = uint32(players), wzproposal.Status(payloads[5])
	}
	return games, s == ""
}

func BenchmarkNextResponse(b *testing.B) {
	bench(b, manyGames(100), func(o wzproposal.Options, in []byte) (ok bool) {
		_, _, err := (&wzproposal.Framer{Options: o}).NextResponse(in)
		return err == nil
	})
}

func BenchmarkAppendGameList(b *testing.B) {
	m := manyGames(100)
	buf := make([]byte, 0, 8<<10)
	bench(b, m, func(o wzproposal.Options, _ []byte) (ok bool) {
		var err error
		if o.Encoding == wzproposal.Binary {
			sinkBytes, err = wzproposal.Binary.Append(buf, m)
		} else {
			sinkBytes, err = m.AppendBinary(buf)
		}
		return err == nil
	})
}

// BenchmarkAppendGameListFloor writes the same list by hand.
func BenchmarkAppendGameListFloor(b *testing.B) {
	m := manyGames(100)
	buf := make([]byte, 0, 8<<10)
	bench(b, m, func(o wzproposal.Options, in []byte) (ok bool) {
		if o.Encoding == wzproposal.Binary {
			sinkBytes = appendFramesByHand(buf, m.Games)
		} else {
			sinkBytes = appendRowsByHand(buf, m.Games)
		}
		return len(sinkBytes) == len(in)
	})
}

func appendRowsByHand(b []byte, games []wzproposal.Game) []byte {
	b = append(b, "COUNT\t"...)
	b = strconv.AppendInt(b, int64(len(games)), 10)
	b = append(b, '\n')
	for i := range games {
		m := &games[i]
		if !cleanByHand(m.Name) || !cleanByHand(m.Map) || !cleanByHand(string(m.Status)) {
			return nil
		}
		b = m.IP.AppendTo(b)
		b = append(b, '\t')
		b = strconv.AppendUint(b, uint64(m.Port), 10)
		b = append(b, '\t')
		b = append(b, m.Name...)
		b = append(b, '\t')
		b = append(b, m.Map...)
		b = append(b, '\t')
		b = strconv.AppendUint(b, uint64(m.MaxPlayers), 10)
		b = append(b, '\t')
		b = append(b, m.Status...)
		b = append(b, '\n')
	}
	return b
}

func appendFramesByHand(b []byte, games []wzproposal.Game) []byte {
	start := len(b)
	b = append(b, 5, 0)
	b = appendNumberByHand(b, uint64(len(games)))
	b[start+1] = byte(len(b) - start - 2)
	for i := range games {
		m := &games[i]
		if !cleanByHand(m.Name) || !cleanByHand(m.Map) || !cleanByHand(string(m.Status)) {
			return nil
		}
		start := len(b)
		b = append(b, 6, 0, 0)
		b = m.IP.AppendTo(b)
		b[start+2] = byte(len(b) - start - 3)
		b = appendNumberByHand(b, uint64(m.Port))
		b = append(b, byte(len(m.Name)))
		b = append(b, m.Name...)
		b = append(b, byte(len(m.Map)))
		b = append(b, m.Map...)
		b = appendNumberByHand(b, uint64(m.MaxPlayers))
		b = append(b, byte(len(m.Status)))
		b = append(b, m.Status...)
		b[start+1] = byte(len(b) - start - 2)
	}
	return b
}

// TestAllocs holds the promises about allocations.
func TestAllocs(t *testing.T) {
	list := manyGames(100)
	for _, e := range encodings {
		o := wzproposal.Options{Encoding: e}
		answer := mustAppend(t, e, list)
		buf := make([]byte, 0, len(answer))
		open, start := mustAppend(t, e, theGame()), mustAppend(t, e, wzproposal.StartGame{Port: 9999})
		for _, tt := range []struct {
			name   string
			budget float64
			run    func()
		}{
			{"parse request with texts", 2, func() { sinkRequest, _ = o.ParseRequest(open) }},
			{"parse OpenGame", 1, func() { sinkOpenGame, _ = o.ParseOpenGame(open) }},
			{"parse StartGame", 0, func() { sinkStart, _ = o.ParseStartGame(start) }},
			{"parse list", 2, func() { sinkList, _ = o.ParseGameList(answer) }},
			{"parse frame", 2, func() { sinkFrame, _ = o.ParseFrame(open) }},
			{"cut a frame", 0, func() { sinkBytes, _, _ = (&wzproposal.Framer{Options: o}).Next(open) }},
			{"ask for more", 0, func() { sinkRequest, _, _ = (&wzproposal.Framer{Options: o}).NextRequest(open[:5]) }},
			{"append OpenGame", 0, func() { sinkBytes, _ = e.Append(buf, theGame()) }},
			{"append list", 0, func() { sinkBytes, _ = e.Append(buf, list) }},
			{"append OpenGame as text", 0, func() { sinkBytes, _ = theGame().AppendBinary(buf) }},
		} {
			if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
				t.Errorf("%s, %s: %v allocations, budget %v", e, tt.name, got, tt.budget)
			}
		}
	}
}
