package wzhttpnet

import (
	"runtime"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A game of a Lobby keeps its texts, not the request that had them.
func TestPaddedGamesAreSmall(t *testing.T) {
	body := `{"v":"4.7.0","netv":[16384,104],"name":"A room","host":{"name":"Anna",` +
		`"pk":"A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="},` +
		`"map":["Sk-Rush",""],"mods":[{"name":"old.wz","hash":""}],"players":{"cur":1,"max":4},"specs":{"cur":0,` +
		`"max":0},"ally":0,"lim":0,` +
		`"extra":"` + strings.Repeat("x", 60<<10) + `"}`
	games := make([]warzonegames.Entry, 200)
	before := suite.Heap()
	for i := range games {
		m, err := wzhttp.ParseCreate([]byte(body))
		fatalIf(t, err)
		fatalIf(t, setRoom(&games[i], m.Room))
	}
	if each := (suite.Heap() - before) / len(games); each > 16<<10 {
		t.Errorf("a game keeps %d bytes", each)
	}
	runtime.KeepAlive(games)
}
