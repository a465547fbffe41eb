package gameagent_test

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// fragmatch is the status of a typical server.
func fragmatch() gameagent.Status {
	return gameagent.Status{
		Players: new(8), MaxPlayers: new(16), Level: "Yodeller", GameType: "Fragmatch",
		Version: "1.10", GameName: "serioussamse", SessionName: "Awesome Server",
	}
}

// sixteen is the players of a full server.
func sixteen() gameagent.Players {
	m := gameagent.Players{Count: 16, Players: []gameagent.Player{}}
	for i := range 16 {
		m.Players = append(m.Players, gameagent.Player{
			Index: i, Name: gameagent.DecorateName(fmt.Sprintf("Player %02d", i)), Frags: new(int32(10*i - 5)),
			Ping: new(20 + i),
		})
	}
	return m
}

// fullList fills a packet.
func fullList() gameagent.ServerList {
	var m gameagent.ServerList
	for i := range gameagent.MaxListEntries {
		addr := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		m.Servers = append(m.Servers, netip.AddrPortFrom(addr, gameagent.GamePort))
	}
	return m
}

// mustAppend returns the wire form of a message. The test fails if it has none.
func mustAppend(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Benchmarks store their results here, so that the compiler cannot remove the
// work.
var (
	sinkToServer gameagent.ToServer
	sinkToMaster gameagent.ToMaster
	sinkStatus   gameagent.Status
	sinkPlayers  gameagent.Players
	sinkList     gameagent.ServerList
	sinkBytes    []byte
	sinkErr      error
)

func BenchmarkParseStatus(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, fragmatch()), gameagent.ParseStatus)
}

// BenchmarkParseStatusFloor is hand-written code for the same answer: it makes
// one copy, cuts it at semicolons and switches on the keys.
func BenchmarkParseStatusFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, fragmatch()), parseStatusByHand)
}

func parseStatusByHand(b []byte) (m gameagent.Status, ok bool) {
	if len(b) < 2 || b[0] != '0' || b[1] != ';' {
		return m, false
	}
	counts := new([2]int)
	for s := string(b[2:]); s != ""; {
		key, rest, _ := strings.Cut(s, ";")
		if key == "sessionname" {
			m.SessionName = rest
			return m, true
		}
		var value string
		value, s, _ = strings.Cut(rest, ";")
		var err error
		switch key {
		case "players":
			counts[0], err = strconv.Atoi(value)
			m.Players = &counts[0]
		case "maxplayers":
			counts[1], err = strconv.Atoi(value)
			m.MaxPlayers = &counts[1]
		case "level":
			m.Level = value
		case "gametype":
			m.GameType = value
		case "version":
			m.Version = value
		case "gamename":
			m.GameName = value
		}
		if err != nil {
			return m, false
		}
	}
	return m, true
}

func BenchmarkAppendStatus(b *testing.B) {
	m := fragmatch()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendStatusFloor is hand-written code for the same answer. Like the
// codec, it checks for delimiters in texts.
func BenchmarkAppendStatusFloor(b *testing.B) {
	m := fragmatch()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendStatusByHand(buf, &m) })
}

func appendStatusByHand(b []byte, m *gameagent.Status) (out []byte, ok bool) {
	if *m.Players < 0 || *m.MaxPlayers < 0 {
		return b, false
	}
	for _, s := range [...]string{m.Level, m.GameType, m.Version, m.GameName} {
		if strings.IndexByte(s, ';') >= 0 || strings.IndexByte(s, 0) >= 0 {
			return b, false
		}
	}
	if strings.IndexByte(m.SessionName, 0) >= 0 {
		return b, false
	}
	b = append(b, "0;players;"...)
	b = strconv.AppendInt(b, int64(*m.Players), 10)
	b = append(b, ";maxplayers;"...)
	b = strconv.AppendInt(b, int64(*m.MaxPlayers), 10)
	b = append(append(b, ";level;"...), m.Level...)
	b = append(append(b, ";gametype;"...), m.GameType...)
	b = append(append(b, ";version;"...), m.Version...)
	b = append(append(b, ";gamename;"...), m.GameName...)
	return append(append(b, ";sessionname;"...), m.SessionName...), true
}

func BenchmarkParsePlayers(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, sixteen()), gameagent.ParsePlayers)
}

// BenchmarkParsePlayersFloor is hand-written code for the same answer. It accepts
// records only as the engine sends them.
func BenchmarkParsePlayersFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, sixteen()), parsePlayersByHand)
}

func parsePlayersByHand(b []byte) (m gameagent.Players, ok bool) {
	s, ok := strings.CutPrefix(string(b), "\x01players\x02")
	if !ok {
		return m, false
	}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		ok = ok && err == nil
		return n
	}
	count, s, found := strings.Cut(s, "\x03")
	m.Count = number(count)
	if !found || !ok || m.Count > 256 {
		return m, false
	}
	m.Players = make([]gameagent.Player, 0, m.Count)
	frags, pings := make([]int32, m.Count), make([]int, m.Count)
	for s != "\x04" {
		if len(m.Players) == m.Count {
			return m, false
		}
		var p gameagent.Player
		for i, prefix := range [...]string{"player_", "frags_", "ping_"} {
			key, rest, _ := strings.Cut(s, "\x02")
			digits, isKey := strings.CutPrefix(key, prefix)
			value, after, found := strings.Cut(rest, "\x03")
			if !isKey || !found || i > 0 && number(digits) != p.Index {
				return m, false
			}
			switch i {
			case 0:
				p.Index, p.Name = number(digits), value
			case 1:
				p.Frags = &frags[len(m.Players)]
				*p.Frags = int32(number(value))
			case 2:
				p.Ping = &pings[len(m.Players)]
				*p.Ping = number(value)
			}
			s = after
		}
		m.Players = append(m.Players, p)
	}
	return m, ok
}

func BenchmarkAppendPlayers(b *testing.B) {
	m := sixteen()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendPlayersFloor is hand-written code for the same answer. It checks
// for control characters in names.
func BenchmarkAppendPlayersFloor(b *testing.B) {
	m := sixteen()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendPlayersByHand(buf, &m) })
}

func appendPlayersByHand(b []byte, m *gameagent.Players) (out []byte, ok bool) {
	b = append(b, "\x01players\x02"...)
	b = strconv.AppendInt(b, int64(m.Count), 10)
	b = append(b, 3)
	for i := range m.Players {
		p := &m.Players[i]
		for j := range len(p.Name) {
			if p.Name[j] < ' ' {
				return b, false
			}
		}
		b = strconv.AppendInt(append(b, "player_"...), int64(p.Index), 10)
		b = append(append(append(b, 2), p.Name...), 3)
		b = strconv.AppendInt(append(b, "frags_"...), int64(p.Index), 10)
		b = append(strconv.AppendInt(append(b, 2), int64(*p.Frags), 10), 3)
		b = strconv.AppendInt(append(b, "ping_"...), int64(p.Index), 10)
		b = append(strconv.AppendInt(append(b, 2), int64(*p.Ping), 10), 3)
	}
	return append(b, 4), true
}

func BenchmarkParseServerList(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, fullList()), gameagent.ParseServerList)
}

// BenchmarkParseServerListFloor is hand-written code for the same list.
func BenchmarkParseServerListFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, fullList()), func(in []byte) (m gameagent.ServerList, ok bool) {
		if len(in) == 0 || in[0] != 's' {
			return m, false
		}
		servers := make([]netip.AddrPort, (len(in)-1)/6)
		for i := range servers {
			p := in[1+6*i : 7+6*i]
			servers[i] = netip.AddrPortFrom(netip.AddrFrom4([4]byte(p)), binary.LittleEndian.Uint16(p[4:]))
		}
		return gameagent.ServerList{Servers: servers}, true
	})
}

func BenchmarkAppendServerList(b *testing.B) {
	m := fullList()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendServerListFloor is hand-written code for the same list.
func BenchmarkAppendServerListFloor(b *testing.B) {
	m := fullList()
	codectest.BenchAppend(b, func(buf []byte) (out []byte, ok bool) {
		out = append(buf, 's')
		for _, s := range m.Servers {
			if !s.Addr().Is4() || s.Port() == 0 || s.Port() == 65535 {
				return buf, false
			}
			ip := s.Addr().As4()
			out = binary.LittleEndian.AppendUint16(append(out, ip[:]...), s.Port())
		}
		return out, true
	})
}

// TestAllocationsStayInBudget checks the documented numbers of allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, gameagent.MaxPacket)
	status, players, list := fragmatch(), sixteen(), fullList()
	beat := gameagent.Heartbeat{Challenge: 1 << 20, Level: "Yodeller", Version: "1.10", Product: "serioussamse"}
	statusBytes, playersBytes := mustAppend(t, status), mustAppend(t, players)
	listBytes, beatBytes := mustAppend(t, list), mustAppend(t, beat)
	join, state, listRequest := []byte("q"), []byte("u"), []byte("eXYZ")
	askStatus, askPlayers, askPing := []byte{2}, []byte{3}, []byte{4}
	challenge := mustAppend(t, gameagent.Challenge{Challenge: 1 << 20})
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse join", 0, func() { sinkToMaster, sinkErr = gameagent.ParseToMaster(join) }},
		{"parse state change", 0, func() { sinkToMaster, sinkErr = gameagent.ParseToMaster(state) }},
		{"parse list request", 0, func() { sinkToMaster, sinkErr = gameagent.ParseToMaster(listRequest) }},
		{"parse heartbeat", 2, func() { sinkToMaster, sinkErr = gameagent.ParseToMaster(beatBytes) }},
		{"parse status request", 0, func() { sinkToServer, sinkErr = gameagent.ParseToServer(askStatus) }},
		{"parse players request", 0, func() { sinkToServer, sinkErr = gameagent.ParseToServer(askPlayers) }},
		{"parse ping request", 0, func() { sinkToServer, sinkErr = gameagent.ParseToServer(askPing) }},
		{"parse challenge, stored in an interface", 1,
			func() { sinkToServer, sinkErr = gameagent.ParseToServer(challenge) }},
		{"parse status", 2, func() { sinkStatus, sinkErr = gameagent.ParseStatus(statusBytes) }},
		{"parse 16 players", 4, func() { sinkPlayers, sinkErr = gameagent.ParsePlayers(playersBytes) }},
		{"parse 170 servers", 1, func() { sinkList, sinkErr = gameagent.ParseServerList(listBytes) }},
		{"append status", 0, func() { sinkBytes, sinkErr = status.AppendBinary(buf) }},
		{"append heartbeat", 0, func() { sinkBytes, sinkErr = beat.AppendBinary(buf) }},
		{"append 16 players", 0, func() { sinkBytes, sinkErr = players.AppendBinary(buf) }},
		{"append 170 servers", 0, func() { sinkBytes, sinkErr = list.AppendBinary(buf) }},
		{"append ping", 0, func() { sinkBytes, sinkErr = gameagent.Ping{Players: 16}.AppendBinary(buf) }},
		{"append challenge", 0, func() { sinkBytes, sinkErr = gameagent.Challenge{Challenge: 1}.AppendBinary(buf) }},
		{"cut 170 servers", 4, func() { _, sinkErr = list.Packets() }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
		if sinkErr != nil {
			t.Errorf("%s: %v", tt.name, sinkErr)
		}
	}
}
