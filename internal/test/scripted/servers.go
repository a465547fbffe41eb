package scripted

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
)

// A Server answers a datagram as a game does.
type Server func(from netip.AddrPort, req string) []string

// A Game is the state of a Server.
type Game struct {
	Title, Map   string
	Players, Max int

	// These are of player i.
	Name        func(i int) string
	Score, Ping func(i int) int
}

// Halo is Halo, whose answers are one packet in plain form: pairs, then a number of
// rows, the names of columns, and the rows. It sends as many players as fit.
func Halo(g Game) Server {
	const room = 1400
	info := fmt.Sprintf(
		"hostname\x00%s\x00mapname\x00%s\x00gametype\x00Slayer\x00numplayers\x00%d\x00maxplayers\x00%d\x00\x00",
		g.Title, g.Map, g.Players, g.Max)
	columns, teams := "player_\x00score_\x00ping_\x00\x00", "\x00\x00\x00"
	rows, count := "", 0
	for i := range g.Players {
		row := fmt.Sprintf("%s\x00%d\x00%d\x00", g.Name(i), g.Score(i), g.Ping(i))
		if 5+len(info)+2+len(columns)+len(rows)+len(row)+len(teams) > room {
			break
		}
		rows, count = rows+row, count+1
	}
	body := info + string(binary.BigEndian.AppendUint16(nil, uint16(count))) + columns + rows + teams
	return func(_ netip.AddrPort, req string) []string {
		if !strings.HasPrefix(req, "\xfe\xfd\x00") || len(req) < 10 {
			return nil
		}
		return []string{"\x00" + req[3:7] + body}
	}
}

// Minecraft is Minecraft's server, of Java Edition. A challenge is needed, and the answer is one
// packet of any size. A query of 15 bytes gets the full stat, and any other the basic one.
func Minecraft(g Game) Server {
	// token is the challenge of a client.
	token := func(from netip.AddrPort) uint32 {
		host := from.Addr().As16()
		return 1<<20 + uint32(from.Port())*7919%(1<<20) + uint32(host[15])<<21
	}
	var pairs, names strings.Builder
	for _, kv := range [][2]string{
		{"hostname", g.Title}, {"gametype", "SMP"}, {"game_id", "MINECRAFT"}, {"version", "1.20.4"}, {"plugins", ""},
		{"map", g.Map}, {"numplayers", fmt.Sprint(g.Players)}, {"maxplayers", fmt.Sprint(g.Max)},
		{"hostport", "25565"}, {"hostip", "127.0.0.1"},
	} {
		pairs.WriteString(kv[0] + "\x00" + kv[1] + "\x00")
	}
	for i := range g.Players {
		names.WriteString(g.Name(i) + "\x00")
	}
	basic := fmt.Sprintf("%s\x00SMP\x00%s\x00%d\x00%d\x00\xdd\x63127.0.0.1\x00", g.Title, g.Map, g.Players,
		g.Max)
	fullStat := "splitnum\x00\x80\x00" + pairs.String() + "\x00\x01player_\x00\x00" + names.String() + "\x00"
	return func(from netip.AddrPort, req string) []string {
		const full, idEnd, challengeEnd = 15, 7, 11
		if len(req) < 3 || !strings.HasPrefix(req, "\xfe\xfd") {
			return nil
		}
		id := (req + "\x00\x00\x00\x00")[3:idEnd] // missing bytes are from an earlier request
		switch {
		case req[2] == 9:
			return []string{fmt.Sprintf("\x09%s%d\x00", id, token(from))}
		case req[2] != 0 || len(req) < challengeEnd || binary.BigEndian.Uint32([]byte(req[idEnd:])) != token(from):
			return nil
		case len(req) == full:
			return []string{"\x00" + id + fullStat}
		}
		return []string{"\x00" + id + basic}
	}
}

// maxEnginePacket is the size at which Serious Engine cuts an answer with players.
const maxEnginePacket = 2048

// SeriousSam is Serious Engine as it ships: the legacy form, whose datagrams have
// no numbers, and a query ID in the last one only.
func SeriousSam(g Game) Server {
	packet := fmt.Sprintf(`\gamename\serioussamse\gamever\1.10\location\EU\hostname\%s\hostport\25600\mapname\%s`+
		`\gametype\Fragmatch\activemod\\numplayers\%d\maxplayers\%d\gamemode\openplaying`, g.Title, g.Map, g.Players,
		g.Max)
	var packets []string
	for i := range g.Players {
		record := fmt.Sprintf(`\player_%d\%s\frags_%d\%d\ping_%d\%d`, i, g.Name(i), i, g.Score(i), i, g.Ping(i))
		if len(packet)+len(record) > maxEnginePacket {
			packets, packet = append(packets, packet), ""
		}
		packet += record
	}
	packets = append(packets, packet+`\final\\queryid\333.1`)
	return func(_ netip.AddrPort, req string) []string {
		if !strings.Contains(req, `\status\`) {
			return nil
		}
		return packets
	}
}

// SeriousEngine is Serious Engine with native queries.
func SeriousEngine(g Game) Server {
	status := fmt.Sprintf(
		"0;players;%d;maxplayers;%d;level;%s;gametype;Fragmatch;version;1.10;gamename;serioussamse;sessionname;%s",
		g.Players, g.Max, g.Map, g.Title)
	packet := fmt.Sprintf("\x01players\x02%d\x03", g.Players)
	var packets []string
	for i := range g.Players {
		name := "^o" + g.Name(i) + "^r"
		if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) {
			name = "\x12"
		}
		record := fmt.Sprintf("player_%d\x02%s\x03frags_%d\x02%d\x03ping_%d\x02%d\x03", i, name, i, g.Score(i), i,
			g.Ping(i))
		if len(packet)+len(record) > maxEnginePacket {
			packets, packet = append(packets, packet), ""
		}
		packet += record
	}
	packets = append(packets, packet+"\x04")
	return func(_ netip.AddrPort, req string) []string {
		switch {
		case strings.HasPrefix(req, "\x02"):
			return []string{status}
		case strings.HasPrefix(req, "\x03"):
			return packets
		}
		return nil
	}
}

// USQP is Unity's SDK for servers in C# or, if unreal is set, its plugin for Unreal. Neither
// answers a second challenge request of a port before it has received a query.
func USQP(g Game, unreal bool) Server {
	text := func(s string) string { return string(byte(len(s))) + s }
	info := string(binary.BigEndian.AppendUint16(nil, uint16(g.Players))) +
		string(binary.BigEndian.AppendUint16(nil, uint16(g.Max))) +
		text(g.Title) + text("Fragmatch") + text("1") + text(g.Map) + "\x1e\x61"
	s := &usqpServer{
		unreal: unreal,
		info:   string(binary.BigEndian.AppendUint32(nil, uint32(len(info)))) + info,
		tokens: map[netip.AddrPort]uint32{},
	}
	return s.answer
}

type usqpServer struct {
	unreal bool
	info   string // a chunk
	tokens map[netip.AddrPort]uint32
}

func (s *usqpServer) answer(from netip.AddrPort, req string) []string {
	token, waits := s.tokens[from]
	switch {
	case req == "\x00\x00\x00\x00\x00" && !waits:
		token = rand.Uint32()
		s.tokens[from] = token
		return []string{"\x00" + string(binary.BigEndian.AppendUint32(nil, token))}
	case len(req) != 8 || req[0] != 1 || !waits || binary.BigEndian.Uint32([]byte(req[1:])) != token:
		return nil
	}
	chunks, version, body := req[7], "\x00\x00", s.info
	if s.unreal {
		version = req[5:7]
	} else if chunks != 1 {
		return nil // C# answers queries for the info alone
	}
	delete(s.tokens, from)
	if chunks&1 == 0 {
		body = ""
	}
	return []string{req[:5] + version + "\x00\x00" + string(binary.BigEndian.AppendUint16(nil, uint16(len(body)))) +
		body}
}
