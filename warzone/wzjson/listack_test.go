package wzjson_test

import (
	"encoding/json"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestListAck(t *testing.T) {
	v6 := netip.MustParseAddr("2001:db8::1")
	testParse(t, wzjson.Options.ParseListAck, []parseCase[wzjson.ListAck]{
		{name: "none", query: `"command":"list-ack","games":[]`, want: wzjson.ListAck{Games: []wzjson.Game{}}},
		{name: "two", query: `"command":"list-ack","games":[{"host":"2001:db8::1","port":65535,"name":"a","map":"b","tech":"T1","players":8,"x":1},{}]`,
			want: wzjson.ListAck{Games: []wzjson.Game{{Host: v6, Port: 65535, Name: "a", Map: "b", Tech: "T1", Players: 8, Extra: map[string]json.RawMessage{"x": []byte("1")}}, {}}}, strict: lobbywire.ErrInvalid},
		{name: "host name", query: `"command":"list-ack","games":[{"host":"localhost"}]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.games[0].host", offset: 74},
		{name: "host with a zone", query: `"command":"list-ack","games":[{"host":"fe80::1%a"}]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.games[0].host", offset: 74},
		{name: "port 0", query: `"command":"list-ack","games":[{"port":0}]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.games[0].port", offset: 74},
		{name: "port 65536", query: `"command":"list-ack","games":[{"port":65536}]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.games[0].port", offset: 74},
		{name: "no games", query: `"command":"list-ack"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.games", offset: 56},
	})
	testRefusals(t, []refusal{
		{"zone", wzjson.ListAck{Games: []wzjson.Game{{}, {Host: v6.WithZone("a")}}}, lobbywire.ErrInvalid, "lobbyquery.query.games[1].host"},
		{"players", wzjson.ListAck{Games: []wzjson.Game{{Players: -1}}}, lobbywire.ErrInvalid, "lobbyquery.query.games[0].players"},
		{"member again", wzjson.ListAck{Games: []wzjson.Game{{Extra: map[string]json.RawMessage{"port": []byte("1")}}}}, lobbywire.ErrInvalid, "lobbyquery.query.games[0].extra"},
		{"too long", wzjson.ListAck{Games: make([]wzjson.Game, 30000)}, lobbywire.ErrTooLarge, ""},
	})
}
