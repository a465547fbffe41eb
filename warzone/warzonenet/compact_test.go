package warzonenet

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// heap returns the memory in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// A game takes memory for its records and texts, not for the message that held the
// texts.
func TestPaddedGamesAreSmall(t *testing.T) {
	const games = 10_000
	blanks := strings.Repeat(" ", maxJSONRequest-200)
	var sizes [2]int64
	for i, padding := range []string{"", blanks} {
		l := &JSONLobby{Games: &warzonegames.Games{MaxPerPrefix: games}}
		l.server.Once.Do(l.init)
		before := heap()
		for n := range games {
			m, _, err := jsonRequests()(fmt.Appendf(nil, `{"lobbyquery":{"version":1,%s"query":{"command":"add","name":"Game %d","tech":"T1","players":4}}}`, padding, n))
			if err != nil {
				t.Fatal(err)
			}
			var ip [4]byte
			binary.BigEndian.PutUint32(ip[:], 0x0a000000+uint32(n))
			if _, err := l.answerRequest(netip.AddrFrom4(ip), m); err != nil {
				t.Fatal(err)
			}
		}
		sizes[i] = (heap() - before) / games
		runtime.KeepAlive(l)
	}
	t.Logf("%d bytes each, %d padded", sizes[0], sizes[1])
	if sizes[1] > sizes[0]+100 {
		t.Errorf("a padded game takes %d bytes, another one %d", sizes[1], sizes[0])
	}
}

// A JSONClient keeps the texts of a list, not the message that held them.
func TestPaddedListIsSmall(t *testing.T) {
	const lists, limit = 50, 4 << 10
	answer := fmt.Appendf(nil, `{"lobbyquery":{"version":1,%s"query":{"command":"list-ack","games":[{"name":"A","map":"Rush","tech":"T1"}]}}}`,
		strings.Repeat(" ", wzjson.MaxFrame-1000))
	kept := make([][]wzjson.Game, lists)
	before := heap()
	for i := range kept {
		m, err := wzjson.ParseListAck(answer)
		if err != nil {
			t.Fatal(err)
		}
		compactJSON(m.Games)
		kept[i] = m.Games
	}
	each := (heap() - before) / lists
	t.Logf("%d bytes each", each)
	if g := kept[0]; len(g) != 1 || g[0].Name != "A" || g[0].Map != "Rush" || g[0].Tech != "T1" || each > limit {
		t.Errorf("got %+v, %d bytes each, want at most %d", g, each, limit)
	}
	runtime.KeepAlive(kept)
}
