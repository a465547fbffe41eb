package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestUpdate(t *testing.T) {
	testParse(t, wzjson.Options.ParseUpdate, []parseCase[wzjson.Update]{
		{name: "all fields", query: `"command":"update","id":"a","name":"b","map":"","tech":"T2","players":2`,
			want: wzjson.Update{ID: "a", Fields: wzjson.Fields{Name: new("b"), Map: new(""), Tech: new(wzjson.TechT2), Players: new(2)}}},
		{name: "none", query: `"command":"update","id":"a"`, want: wzjson.Update{ID: "a"}},
		{name: "member that is not known", query: `"command":"update","id":"a","private":true`,
			want: wzjson.Update{ID: "a", Fields: wzjson.Fields{Extra: map[string]json.RawMessage{"private": []byte("true")}}}},
		{name: "another tech", query: `"command":"update","id":"a","tech":"T9"`, want: wzjson.Update{ID: "a", Fields: wzjson.Fields{Tech: new(wzjson.Tech("T9"))}}, strict: lobbywire.ErrInvalid},
		{name: "null", query: `"command":"update","id":"a","players":null`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.players", offset: 74},
		{name: "no id", query: `"command":"update","map":"a"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 64},
	})
	testRefusals(t, []refusal{
		{"no id", wzjson.Update{}, lobbywire.ErrInvalid, "lobbyquery.query.id"},
		{"players", wzjson.Update{ID: "a", Fields: wzjson.Fields{Players: new(0)}}, lobbywire.ErrInvalid, "lobbyquery.query.players"},
		{"id again", wzjson.Update{ID: "a", Fields: wzjson.Fields{Extra: map[string]json.RawMessage{"id": []byte("1")}}}, lobbywire.ErrInvalid, "lobbyquery.query.extra"},
	})
}
