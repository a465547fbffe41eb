package warzonenet

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A lobby gets a request every two seconds, with any filters. Callers cannot change each
// other's listings, including unknown members.
func TestJSONClientAsksEveryTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := wzjson.Game{Name: "A game", MaxPlayers: 4, Extra: map[string]json.RawMessage{"x": json.RawMessage("[1]")}}
		lobby := newScriptedLobby(t)
		lobby.serveRequests(keeping(encodedJSON(wzjson.ListAck{Games: []wzjson.Game{game}})))
		c := JSONClient{Dial: lobby.network.Dial}
		start := time.Now()
		for i, filter := range [][]wzjson.Fields{nil, {{Name: new("A game")}}, {{Map: new("Rush")}}} {
			for range 3 {
				l, err := c.List(t.Context(), scriptedAddr.String(), filter...)
				fatalIf(t, err)
				if took := time.Since(start); took != time.Duration(i)*2*time.Second {
					t.Errorf("filter %d: listed after %v", i, took)
				}
				if len(l.Games) != 1 || string(l.Games[0].Extra["x"]) != "[1]" {
					t.Fatalf("filter %d: listed %+v", i, l.Games)
				}
				l.Games[0].Extra["x"][1] = '9'
				clear(l.Games[0].Extra)
				l.Games[0] = wzjson.Game{}
			}
		}
	})
}
