package wzjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAdd(t *testing.T) {
	testParse(t, wzjson.Options.ParseAdd, []parseCase[wzjson.Add]{
		{name: "all fields", query: `"command":"add","name":"Grüße","map":"Sk-Rush","tech":"T1","players":4`,
			want: wzjson.Add{Name: "Grüße", Map: "Sk-Rush", Tech: wzjson.TechT1, Players: 4}},
		{name: "nothing", query: `"command":"add"`, strict: lobbywire.ErrInvalid},
		{name: "empty texts", query: `"command":"add","name":"","map":"","tech":"","players":1`, want: wzjson.Add{Players: 1}, strict: lobbywire.ErrInvalid, out: `"command":"add","players":1`},
		{name: "another tech", query: `"command":"add","name":"a","map":"b","tech":"T4","players":4`, want: wzjson.Add{Name: "a", Map: "b", Tech: "T4", Players: 4}, strict: lobbywire.ErrInvalid},
		{name: "members that are not known", query: `"x":[ 1],"command":"add","host":"1.2.3.4"`, want: wzjson.Add{Extra: map[string]json.RawMessage{"x": []byte("[ 1]"), "host": []byte(`"1.2.3.4"`)}},
			strict: lobbywire.ErrInvalid, out: `"command":"add","host":"1.2.3.4","x":[ 1]`},
		{name: "null", query: `"command":"add","name":null`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.name", offset: len(head) + 13},
		{name: "players 0", query: `"command":"add","players":0`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.players", offset: len(head) + 16},
		{name: "players as text", query: `"command":"add","players":"4"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.players", offset: len(head) + 16},
		{name: "players 4.0", query: `"command":"add","players":4.0`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.players", offset: len(head) + 16},
		{name: "another command", query: `"command":"list"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.command", offset: len(head)},
		{name: "no command", query: `"name":"a"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.command", offset: 46},
	})
	testRefusals(t, []refusal{
		{"players", wzjson.Add{Players: -1}, lobbywire.ErrInvalid, "lobbyquery.query.players"},
		{"name that is not UTF-8", wzjson.Add{Name: "\xff"}, lobbywire.ErrInvalid, "lobbyquery.query.name"},
		{"member again", wzjson.Add{Extra: map[string]json.RawMessage{"name": []byte("1")}}, lobbywire.ErrInvalid, "lobbyquery.query.extra"},
		{"version again", wzjson.Add{Envelope: wzjson.Envelope{EnvelopeExtra: map[string]json.RawMessage{"version": []byte("1")}}}, lobbywire.ErrInvalid, "lobbyquery.extra"},
		{"lobbyquery again", wzjson.Add{Envelope: wzjson.Envelope{RootExtra: map[string]json.RawMessage{"lobbyquery": []byte("1")}}}, lobbywire.ErrInvalid, "extra"},
		{"too long", wzjson.Add{Name: strings.Repeat("a", wzjson.MaxFrame)}, lobbywire.ErrTooLarge, ""},
	})
}
