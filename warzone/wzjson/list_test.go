package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestListAcceptsItsFormsOnly(t *testing.T) {
	listCodec.Table(t, []codectest.Case[wzjson.List]{
		{Name: "no filter", In: message(`"command":"list"`)},
		{Name: "empty filter", In: message(`"command":"list","filter":[]`),
			Want: wzjson.List{Filter: []wzjson.Fields{}}},
		{Name: "two objects",
			In: message(`"command":"list","filter":[{"tech":"T1"},{"map":"a","players":4,"private":false}]`),
			Want: wzjson.List{Filter: []wzjson.Fields{{Tech: new(wzjson.TechT1)},
				{Map: new("a"), MaxPlayers: new(4), Extra: map[string]json.RawMessage{"private": []byte("false")}}}}},
		{Name: "null", In: message(`"command":"list","filter":null`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.filter", Offset: 62},
		{Name: "text", In: message(`"command":"list","filter":["*"]`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.filter[0]", Offset: 63},
		{Name: "no comma", In: message(`"command":"list","filter":[{} {}]`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.filter", Offset: 66},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "players", Value: wzjson.List{Filter: []wzjson.Fields{{}, {MaxPlayers: new(-1)}}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.filter[1].players"},
	})
}
