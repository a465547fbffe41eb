package lobbywire_test

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
)

// upper is an encoding whose bytes from 0xe1 on are small letters.
func upper(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		if c >= 0xe1 {
			c -= 0x80
		}
		s.WriteByte(c)
	}
	return s.String()
}

// answering runs a server at a loopback address that answers each datagram.
func answering(t *testing.T, answer func(request []byte) []byte) string {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	go func() {
		b := make([]byte, 2048)
		for {
			n, from, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			pc.WriteTo(answer(b[:n]), from)
		}
	}()
	return pc.LocalAddr().String()
}

// In all codecs whose texts are bytes, Options.Text decodes texts that are not UTF-8, and
// leaves others.
func TestOptionsTextDecodesLegacyTexts(t *testing.T) {
	for _, name := range []string{"\xe4\xf5\xe5\xec", "Müller", ""} {
		want := name
		if name == "\xe4\xf5\xe5\xec" {
			want = "duel"
		}
		answer := []byte("\x00\x01\x02\x03\x04hostname\x00" + name + "\x00\x00")
		m, err := gamespy2.Options{Text: upper}.ParseResponse(answer)
		if v, _ := m.Lookup("hostname"); err != nil || v != want {
			t.Errorf("gamespy2: %q, %v, want %q", v, err, want)
		}
		h, err := qr2.Options{Text: upper}.ParseHeartbeat([]byte("\x03\x01\x02\x03\x04hostname\x00" + name + "\x00\x00"))
		if err != nil || h.View().Name != want {
			t.Errorf("qr2: %q, %v, want %q", h.View().Name, err, want)
		}
		g := warzone.Game{Version: 4, Name: name, Host: "192.0.2.1"}
		b, err := g.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := warzone.Options{Text: upper}.ParseGame(b)
		if err != nil || got.Name != want {
			t.Errorf("warzone: %q, %v, want %q", got.Name, err, want)
		}
		list := sb2.List{ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: 6500, Keys: []sb2.Key{{Name: "hostname"}},
			Servers: []sb2.Server{{
				Flags: sb2.FlagFields, IP: netip.MustParseAddr("192.0.2.1"),
				Fields: []sb2.KeyValue{{Key: "hostname", Value: name}}}}}
		b, err = list.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		servers, err := sb2.Options{Text: upper}.ParseList(b)
		if err != nil || servers.Servers[0].View().Name != want {
			t.Errorf("sb2: %+v, %v, want %q", servers.Servers, err, want)
		}
		response, err := sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: "duel"}}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		response = []byte(strings.Replace(string(response), "duel", "\xe4\xf5\xe5\xec", 1))
		q, err := sqp.Options{Text: upper}.ParseQueryResponse(response, sqp.ChunkServerInfo)
		if err != nil || q.ServerInfo.ServerName != "duel" {
			t.Errorf("sqp: %+v, %v", q.ServerInfo, err)
		}
	}
}

// Clients decode the texts of answers, also of those in several packets.
func TestClientsDecodeLegacyTexts(t *testing.T) {
	legacy := answering(t, func([]byte) []byte {
		return []byte(`\gamename\ut\hostname\` + "\xe4\xf5\xe5\xec" + `\player_0\` + "\xe1\xe4\xe1" +
			`\final\\queryid\1.1`)
	})
	native := answering(t, func([]byte) []byte {
		return []byte("0;players;1;maxplayers;8;sessionname;\xe4\xf5\xe5\xec")
	})
	plain := answering(t, func(request []byte) []byte {
		return []byte("\x00" + string(request[3:7]) + "hostname\x00\xe4\xf5\xe5\xec\x00\x00\x00\x00\x00\x00\x00\x00")
	})
	agent := gameagentnet.Client{Options: gameagent.Options{Text: upper}}
	check := func(name string, v lobbywire.View, err error) {
		t.Helper()
		if err != nil || v.Name != "duel" || len(v.Roster) > 0 && v.Roster[0].Name != "ada" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	l, err := (&gamespy1net.Client{Options: gamespy1.Options{Text: upper}}).Status(t.Context(), legacy)
	check("legacy", l.Message.View(), err)
	s, err := agent.Status(t.Context(), native)
	check("native", s.Message.View(), err)
	spy := gamespy2net.Client{Options: gamespy2.Options{Text: upper}, Protocol: gamespy2net.ProtocolPlain}
	p, err := spy.Query(t.Context(), plain)
	check("gamespy2", p.View(), err)
}
