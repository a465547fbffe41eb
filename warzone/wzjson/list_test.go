package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestList(t *testing.T) {
	testParse(t, wzjson.Options.ParseList, []parseCase[wzjson.List]{
		{name: "no filter", query: `"command":"list"`},
		{name: "empty filter", query: `"command":"list","filter":[]`, want: wzjson.List{Filter: []wzjson.Fields{}}},
		{name: "two objects", query: `"command":"list","filter":[{"tech":"T1"},{"map":"a","players":4,"private":false}]`,
			want: wzjson.List{Filter: []wzjson.Fields{{Tech: new(wzjson.TechT1)}, {Map: new("a"), Players: new(4), Extra: map[string]json.RawMessage{"private": []byte("false")}}}}},
		{name: "null", query: `"command":"list","filter":null`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.filter", offset: 62},
		{name: "text", query: `"command":"list","filter":["*"]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.filter[0]", offset: 63},
		{name: "no comma", query: `"command":"list","filter":[{} {}]`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.filter", offset: 66},
	})
	testRefusals(t, []refusal{
		{"players", wzjson.List{Filter: []wzjson.Fields{{}, {Players: new(-1)}}}, lobbywire.ErrInvalid, "lobbyquery.query.filter[1].players"},
	})
}
