package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// The servers here stand for games that cannot be installed. They answer with the
// bytes that the games send.

// A scriptedServer answers each datagram with those that answer returns.
type scriptedServer struct {
	answer func(req string) []string
	closed chan struct{}
}

func script(answer func(req string) []string) packetServer {
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
		for _, b := range s.answer(string(buf[:n])) {
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
	basic := fmt.Sprintf("%s\x00SMP\x00%s\x00%d\x00%d\x00\xdd\x63127.0.0.1\x00", c.title, mapName, c.players, maxPlayers)
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
		`\gametype\Fragmatch\activemod\\numplayers\%d\maxplayers\%d\gamemode\openplaying`, c.title, mapName, c.players, maxPlayers)
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
		record := fmt.Sprintf("player_%d\x02%s\x03frags_%d\x02%d\x03ping_%d\x02%d\x03", i, name, i, score(i), i, ping(i))
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
