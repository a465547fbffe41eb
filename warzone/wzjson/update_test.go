package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestUpdateAcceptsItsFormsOnly(t *testing.T) {
	updateCodec.Table(t, []codectest.Case[wzjson.Update]{
		{Name: "all fields", In: message(`"command":"update","id":"a","name":"b","map":"","tech":"T2","players":2`),
			Want: wzjson.Update{ID: "a",
				Fields: wzjson.Fields{Name: new("b"), Map: new(""), Tech: new(wzjson.TechT2), MaxPlayers: new(2)}}},
		{Name: "none", In: message(`"command":"update","id":"a"`), Want: wzjson.Update{ID: "a"}},
		{Name: "member that is not known", In: message(`"command":"update","id":"a","private":true`),
			Want: wzjson.Update{ID: "a",
				Fields: wzjson.Fields{Extra: map[string]json.RawMessage{"private": []byte("true")}}}},
		{Name: "another tech", In: message(`"command":"update","id":"a","tech":"T9"`),
			Want:   wzjson.Update{ID: "a", Fields: wzjson.Fields{Tech: new(wzjson.Tech("T9"))}},
			Strict: lobbywire.ErrInvalid},
		{Name: "null", In: message(`"command":"update","id":"a","players":null`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players", Offset: 74},
		{Name: "no id", In: message(`"command":"update","map":"a"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 64},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no id", Value: wzjson.Update{}, Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id"},
		{Name: "players", Value: wzjson.Update{ID: "a", Fields: wzjson.Fields{MaxPlayers: new(0)}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.players"},
		{Name: "id again",
			Value: wzjson.Update{ID: "a", Fields: wzjson.Fields{Extra: map[string]json.RawMessage{"id": []byte("1")}}},
			Err:   lobbywire.ErrInvalid, Field: "lobbyquery.query.extra"},
	})
}
