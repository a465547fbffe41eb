package bombermannet

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A registration takes memory for its texts, not for the whole message.
func TestPaddedRegistrationsAreSmall(t *testing.T) {
	const registrations, limit = 2_000, 2 << 10
	m := new(ManagementServer)
	m.once.Do(m.init)
	near, far := net.Pipe()
	t.Cleanup(func() {
		near.Close()
		far.Close()
	})
	conn := stream.NewConn(near, stream.Limits{})
	blanks := strings.Repeat(" ", bomberman.MaxPayload-200)
	peers := make([]peer, registrations)
	before := suite.Heap()
	for i := range peers {
		peers[i] = peer{ManagementServer: m, conn: conn}
		for _, message := range []string{
			fmt.Sprintf(`{"command":"msRegisterGameServer",%s"content":{"serverName":"Server %d",`+
				`"serverAddress":"192.0.2.7","serverPort":1}}`, blanks, i),
			`{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":4},"isLobbyOpen":true,` +
				`"gameplayMode":1}}`,
		} {
			if err := peers[i].receive(t.Context(), []byte(message)); err != nil {
				t.Fatal(err)
			}
		}
	}
	each := (suite.Heap() - before) / registrations
	t.Logf("%d bytes each", each)
	if s := m.Stats(); s.Listed != registrations || each > limit {
		t.Errorf("%d listed of %d, %d bytes each, want at most %d", s.Listed, registrations, each, limit)
	}
	runtime.KeepAlive(peers)
}

// A Client keeps the texts of a list, not the whole message.
func TestPaddedListIsSmall(t *testing.T) {
	const lists, limit = 50, 4 << 10
	answer := fmt.Appendf(nil, `{"command":"msRQueryGameServers",%s"content":{"servers":[`+
		`{"name":"A","address":"192.0.2.7","port":1,"players":{"current":1,"max":4},"isLobbyOpen":true,`+
		`"gameplayMode":1},`+
		`{"name":"B","address":"192.0.2.8","port":2,"players":{"current":1,"max":4},"isLobbyOpen":true,`+
		`"gameplayMode":1}]}}`,
		strings.Repeat(" ", maxList-1000))
	kept := make([]Listing, lists)
	before := suite.Heap()
	for i := range kept {
		var err error
		kept[i], err = parseList(bomberman.Options{MaxPayload: maxList}, answer)
		if err != nil {
			t.Fatal(err)
		}
	}
	each := (suite.Heap() - before) / lists
	t.Logf("%d bytes each", each)
	s := kept[0].Servers
	if len(s) != 2 || s[0].Name != "A" || s[0].Address != "192.0.2.7" || s[1].Name != "B" ||
		s[1].Address != "192.0.2.8" {
		t.Errorf("got %+v", s)
	}
	if each > limit {
		t.Errorf("%d bytes each, want at most %d", each, limit)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(answer)
}
