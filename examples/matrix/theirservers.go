package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// The servers here stand for games that cannot be installed. They answer with the
// bytes that the games send.

// A scriptedServer answers each datagram with those that answer returns.
type scriptedServer struct {
	answer func(from netip.AddrPort, req string) []string
	closed chan struct{}
}

func script(answer func(req string) []string) packetServer {
	return scriptFrom(func(_ netip.AddrPort, req string) []string { return answer(req) })
}

// scriptFrom is script for servers that tell clients apart.
func scriptFrom(answer func(from netip.AddrPort, req string) []string) packetServer {
	return &scriptedServer{answer: answer, closed: make(chan struct{})}
}

func (s *scriptedServer) Serve(pc net.PacketConn) error {
	go func() {
		<-s.closed
		pc.Close()
	}()
	buf := make([]byte, 1<<16)
	for {
		n, from, err := pc.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil {
			continue
		}
		for _, b := range s.answer(netip.MustParseAddrPort(from.String()), string(buf[:n])) {
			pc.WriteTo([]byte(b), from)
		}
	}
}

func (s *scriptedServer) Close() error {
	close(s.closed)
	return nil
}

// realBattlefield is Battlefield 2: no challenges, and packets that are cut wherever
// they are full. After the eighth it sends no more.
func realBattlefield(c testCase) (packetServer, error) {
	state := battlefieldState(c)
	m := gamespy2.Response{Split: true, Info: state.Info, Players: state.Players, Teams: state.Teams}
	packets, err := m.PacketsCut(gamespy2.CutAnywhere)
	if err != nil {
		return nil, err
	}
	return script(func(req string) (answers []string) {
		switch {
		case strings.HasPrefix(req, "\xfe\xfd\x09") && len(req) >= 7:
			return []string{"\x09" + req[3:7] + "0\x00"}
		case strings.HasPrefix(req, "\xfe\xfd\x00") && strings.HasSuffix(req, "\xff\xff\xff\x01"):
			for _, b := range packets {
				answers = append(answers, "\x00"+req[3:7]+string(b[5:]))
			}
		}
		return answers
	}), nil
}

// realHalo is Halo, whose answers are one packet in plain form: pairs, then a number of
// rows, the names of columns, and the rows. It sends as many players as fit.
func realHalo(c testCase) (packetServer, error) {
	const room = 1400
	info := fmt.Sprintf("hostname\x00%s\x00mapname\x00%s\x00gametype\x00Slayer\x00numplayers\x00%d\x00maxplayers\x00%d\x00\x00",
		c.title, mapName, c.players, maxPlayers)
	columns, teams := "player_\x00score_\x00ping_\x00\x00", "\x00\x00\x00"
	rows, count := "", 0
	for i := range c.players {
		row := fmt.Sprintf("%s\x00%d\x00%d\x00", c.player(i), score(i), ping(i))
		if 5+len(info)+2+len(columns)+len(rows)+len(row)+len(teams) > room {
			break
		}
		rows, count = rows+row, count+1
	}
	body := info + string(binary.BigEndian.AppendUint16(nil, uint16(count))) + columns + rows + teams
	return script(func(req string) []string {
		if !strings.HasPrefix(req, "\xfe\xfd\x00") || len(req) < 10 {
			return nil
		}
		return []string{"\x00" + req[3:7] + body}
	}), nil
}

// realMinecraft is Minecraft's server. A challenge is needed, and the answer is one
// packet of any size.
func realMinecraft(c testCase) (packetServer, error) {
	const token = 9513307
	var pairs, names strings.Builder
	for _, kv := range [][2]string{
		{"hostname", c.title}, {"gametype", "SMP"}, {"game_id", "MINECRAFT"}, {"version", "1.20.4"}, {"plugins", ""},
		{"map", mapName}, {"numplayers", fmt.Sprint(c.players)}, {"maxplayers", fmt.Sprint(maxPlayers)},
		{"hostport", "25565"}, {"hostip", "127.0.0.1"},
	} {
		pairs.WriteString(kv[0] + "\x00" + kv[1] + "\x00")
	}
	for i := range c.players {
		names.WriteString(c.player(i) + "\x00")
	}
	basic := fmt.Sprintf("%s\x00SMP\x00%s\x00%d\x00%d\x00\xdd\x63127.0.0.1\x00", c.title, mapName, c.players,
		maxPlayers)
	full := "splitnum\x00\x80\x00" + pairs.String() + "\x00\x01player_\x00\x00" + names.String() + "\x00"
	return script(func(req string) []string {
		switch {
		case len(req) < 7 || !strings.HasPrefix(req, "\xfe\xfd"):
		case req[2] == 9:
			return []string{fmt.Sprintf("\x09%s%d\x00", req[3:7], token)}
		case len(req) < 11 || binary.BigEndian.Uint32([]byte(req[7:])) != token:
		case len(req) == 11:
			return []string{"\x00" + req[3:7] + basic}
		default:
			return []string{"\x00" + req[3:7] + full}
		}
		return nil
	}), nil
}

// maxEnginePacket is where Serious Engine cuts an answer with players.
const maxEnginePacket = 2048

// realSeriousSam is Serious Engine as it ships: the legacy form, whose datagrams have
// no numbers, and a query ID in the last one only.
func realSeriousSam(c testCase) (packetServer, error) {
	packet := fmt.Sprintf(`\gamename\serioussamse\gamever\1.10\location\EU\hostname\%s\hostport\25600\mapname\%s`+
		`\gametype\Fragmatch\activemod\\numplayers\%d\maxplayers\%d\gamemode\openplaying`, c.title, mapName, c.players,
		maxPlayers)
	var packets []string
	for i := range c.players {
		record := fmt.Sprintf(`\player_%d\%s\frags_%d\%d\ping_%d\%d`, i, c.player(i), i, score(i), i, ping(i))
		if len(packet)+len(record) > maxEnginePacket {
			packets, packet = append(packets, packet), ""
		}
		packet += record
	}
	packets = append(packets, packet+`\final\\queryid\333.1`)
	return script(func(req string) []string {
		if !strings.Contains(req, `\status\`) {
			return nil
		}
		return packets
	}), nil
}

// realSeriousEngine is Serious Engine with native queries.
func realSeriousEngine(c testCase) (packetServer, error) {
	status := fmt.Sprintf("0;players;%d;maxplayers;%d;level;%s;gametype;Fragmatch;version;1.10;gamename;serioussamse;sessionname;%s",
		c.players, maxPlayers, mapName, c.title)
	packet := fmt.Sprintf("\x01players\x02%d\x03", c.players)
	var packets []string
	for i := range c.players {
		name := "^o" + c.player(i) + "^r"
		if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) {
			name = "\x12"
		}
		record := fmt.Sprintf("player_%d\x02%s\x03frags_%d\x02%d\x03ping_%d\x02%d\x03", i, name, i, score(i), i,
			ping(i))
		if len(packet)+len(record) > maxEnginePacket {
			packets, packet = append(packets, packet), ""
		}
		packet += record
	}
	packets = append(packets, packet+"\x04")
	return script(func(req string) []string {
		switch {
		case strings.HasPrefix(req, "\x02"):
			return []string{status}
		case strings.HasPrefix(req, "\x03"):
			return packets
		}
		return nil
	}), nil
}

// A usqpServer is Unity's SDK for servers in C#, or its plugin for Unreal. Neither
// answers a second challenge request of a port before a query has come.
type usqpServer struct {
	unreal bool
	info   string // a chunk
	tokens map[netip.AddrPort]uint32
}

func realUSQP(unreal bool) func(c testCase) (packetServer, error) {
	return func(c testCase) (packetServer, error) {
		text := func(s string) string { return string(byte(len(s))) + s }
		s := &usqpServer{unreal: unreal, tokens: map[netip.AddrPort]uint32{}}
		s.info = string(binary.BigEndian.AppendUint16(nil, uint16(c.players))) +
			string(binary.BigEndian.AppendUint16(nil, maxPlayers)) +
			text(c.title) + text("Fragmatch") + text("1") + text(mapName) + "\x1e\x61"
		s.info = string(binary.BigEndian.AppendUint32(nil, uint32(len(s.info)))) + s.info
		return scriptFrom(s.answer), nil
	}
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
