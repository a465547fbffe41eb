package wzjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAddAcceptsItsFormsOnly(t *testing.T) {
	addCodec.Table(t, []codectest.Case[wzjson.Add]{
		{Name: "all fields", In: message(`"command":"add","name":"Grüße","map":"Sk-Rush","tech":"T1","players":4`),
			Want: wzjson.Add{Name: "Grüße", Map: "Sk-Rush", Tech: wzjson.TechT1, MaxPlayers: 4}},
		{Name: "nothing", In: message(`"command":"add"`),
			Strict: lobbywire.ErrInvalid, Out: message(`"command":"add","name":"","map":""`)},
		{Name: "empty texts", In: message(`"command":"add","name":"","map":"","tech":"","players":1`),
			Want:   wzjson.Add{MaxPlayers: 1},
			Strict: lobbywire.ErrInvalid, Out: message(`"command":"add","name":"","map":"","players":1`)},
		{Name: "another tech", In: message(`"command":"add","name":"a","map":"b","tech":"T4","players":4`),
			Want: wzjson.Add{Name: "a", Map: "b", Tech: "T4", MaxPlayers: 4}, Strict: lobbywire.ErrInvalid},
		{Name: "members that are not known", In: message(`"x":[ 1],"command":"add","host":"1.2.3.4"`),
			Want:   wzjson.Add{Extra: map[string]json.RawMessage{"x": []byte("[ 1]"), "host": []byte(`"1.2.3.4"`)}},
			Strict: lobbywire.ErrInvalid, Out: message(`"command":"add","name":"","map":"","host":"1.2.3.4","x":[ 1]`)},
		{Name: "null", In: message(`"command":"add","name":null`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.name", Offset: len(head) + 13},
		{Name: "players 0", In: message(`"command":"add","players":0`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players", Offset: len(head) + 16},
		{Name: "players as text", In: message(`"command":"add","players":"4"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players", Offset: len(head) + 16},
		{Name: "players 4.0", In: message(`"command":"add","players":4.0`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players", Offset: len(head) + 16},
		{Name: "another command", In: message(`"command":"list"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.command", Offset: len(head)},
		{Name: "no command", In: message(`"name":"a"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.command", Offset: 46},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "players", Value: wzjson.Add{MaxPlayers: -1},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players"},
		{Name: "name that is not UTF-8", Value: wzjson.Add{Name: "\xff"},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.name"},
		{Name: "member again", Value: wzjson.Add{Extra: map[string]json.RawMessage{"name": []byte("1")}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.extra"},
		{Name: "version again",
			Value: wzjson.Add{Envelope: wzjson.Envelope{
				EnvelopeExtra: map[string]json.RawMessage{"version": []byte("1")}}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.extra"},
		{Name: "lobbyquery again",
			Value: wzjson.Add{Envelope: wzjson.Envelope{
				RootExtra: map[string]json.RawMessage{"lobbyquery": []byte("1")}}},
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "too long", Value: wzjson.Add{Name: strings.Repeat("a", wzjson.MaxFrame)}, Err: lobbywire.ErrTooLarge},
	})
}
