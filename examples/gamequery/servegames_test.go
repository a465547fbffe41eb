package main

import (
	"cmp"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// A server of each game answers the form of query that the table names for the game, or
// serve says why there is none.
func TestServeAnswersAsTheGame(t *testing.T) {
	t.Parallel()
	for _, g := range games.All() {
		p, _ := protocols.Named(g.Name)
		if p.Query == nil {
			code, _, stderr := gamequery(nil, "serve", g.Name, "127.0.0.1:0")
			if code != exitUsage || !strings.Contains(stderr, p.Name+" needs -register MASTER: its clients query only masters") {
				t.Errorf("%s: exit code %d, %s", g.Name, code, stderr)
			}
			continue
		}
		addr, stop := background(t, "serve", g.Name, "127.0.0.1:0", "-name", "Reef")
		args := []string{"query", p.Name, addr}
		if ask := cmp.Or(g.Ask, strings.Join(p.Asks[:min(1, len(p.Asks))], "")); ask != "" {
			args = append(args, "-ask", ask)
		}
		if code, stdout, stderr := gamequery(nil, args...); code != exitOK || !strings.Contains(stdout, "Reef") {
			t.Errorf("%s: exit code %d, %s%s", g.Name, code, stderr, stdout)
		}
		stop()
	}
}

// The query clients of Minecraft get both of their stats.
func TestServeMinecraftSendsBothStats(t *testing.T) {
	for _, name := range []string{"minecraft", "mbe"} {
		addr, stop := background(t, "serve", name, "127.0.0.1:0", "-name", "Reef", "-players", "2")
		conn, err := net.Dial("udp", addr)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(request []byte, _ error) []byte {
			b := make([]byte, 1<<16)
			conn.SetDeadline(time.Now().Add(time.Minute))
			_, err := conn.Write(request)
			n := 0
			if err == nil {
				n, err = conn.Read(b)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return b[:n]
		}
		challenge, err := gamespy2.ParseChallengeResponse(
			ask(gamespy2.Request{Type: gamespy2.TypeChallenge}.AppendBinary(nil)))
		if err != nil {
			t.Fatal(err)
		}
		basic, err := gamespy2.ParseBasicStat(ask(gamespy2.StatRequest{Challenge: challenge.Number}.AppendBinary(nil)))
		if err != nil || basic.MOTD != "Reef" || basic.NumPlayers != 2 || basic.MaxPlayers != 16 {
			t.Errorf("%s: basic stat %+v, %v", name, basic, err)
		}
		response, err := gamespy2.ParseResponse(
			ask(gamespy2.StatRequest{Challenge: challenge.Number, Full: true}.AppendBinary(nil)))
		if err != nil {
			t.Fatal(err)
		}
		full := response.Minecraft()
		if full.MOTD != "Reef" || full.GameType != "SMP" || len(full.Players) != 2 {
			t.Errorf("%s: full stat %+v", name, full)
		}
		conn.Close()
		stop()
	}
}
