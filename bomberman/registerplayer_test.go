package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestRegisterPlayerAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"gsRegisterPlayer","content":{"name":`
	registerPlayerCodec.Table(t, []codectest.Case[bomberman.RegisterPlayer]{
		{Name: "a name", In: head + `"Tokyo2020"}}`, Want: bomberman.RegisterPlayer{Name: "Tokyo2020"}},
		{Name: "a name to be rejected", In: head + `"Thomas de Maizière"}}`,
			Want: bomberman.RegisterPlayer{Name: "Thomas de Maizière"}, Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "an empty name", In: head + `""}}`, Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "no text", In: head + `1}}`, Err: lobbywire.ErrInvalid, Field: "content.name", Offset: 48},
		{Name: "no name", In: `{"command":"gsRegisterPlayer","content":{}}`,
			Err: lobbywire.ErrInvalid, Field: "content.name", Offset: 41},
		{Name: "content a text", In: `{"command":"gsRegisterPlayer","content":"a"}`,
			Err: lobbywire.ErrInvalid, Field: "content", Offset: 40},
		{Name: "Latin-1", In: head + "\"B\xf6se\"}}", Err: lobbywire.ErrInvalid, Field: "content.name", Offset: 48},
		{Name: "half a pair of surrogates", In: head + `"\ud83d"}}`,
			Err: lobbywire.ErrInvalid, Field: "content.name", Offset: 48},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "empty name", Value: bomberman.RegisterPlayer{}, Err: lobbywire.ErrInvalid, Field: "content.name"},
		{Name: "space", Value: bomberman.RegisterPlayer{Name: "a b"}, Err: lobbywire.ErrInvalid, Field: "content.name"},
		{Name: "beyond ASCII", Value: bomberman.RegisterPlayer{Name: "ä"},
			Err: lobbywire.ErrInvalid, Field: "content.name"},
	})
}

func TestRegisterPlayerResponseAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"gsRRegisterPlayer","content":{`
	registerPlayerResponseCodec.Table(t, []codectest.Case[bomberman.RegisterPlayerResponse]{
		{Name: "accepted", In: head + `"rejected":false,"adaptedName":"Tokyo20201"}}`,
			Want: bomberman.RegisterPlayerResponse{AdaptedName: "Tokyo20201"}},
		{Name: "rejected", In: head + `"rejected":true,"adaptedName":""}}`,
			Want: bomberman.RegisterPlayerResponse{Rejected: true}},
		{Name: "rejected with a name", In: head + `"rejected":true,"adaptedName":"a"}}`,
			Want:   bomberman.RegisterPlayerResponse{Rejected: true, AdaptedName: "a"},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "accepted without a name", In: head + `"adaptedName":"","rejected":false}}`,
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "no name", In: head + `"rejected":true}}`,
			Err: lobbywire.ErrInvalid, Field: "content.adaptedName", Offset: 57},
	})
	_, err := bomberman.Options{Strict: true}.ParseRegisterPlayerResponse([]byte(head +
		`"adaptedName":"a b","rejected":false}}`))
	wantError(t, err, lobbywire.ErrInvalid, "content.adaptedName", 56)
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "rejected with a name", Value: bomberman.RegisterPlayerResponse{Rejected: true, AdaptedName: "a"},
			Err: lobbywire.ErrInvalid, Field: "content.adaptedName"},
		{Name: "accepted without a name", Value: bomberman.RegisterPlayerResponse{},
			Err: lobbywire.ErrInvalid, Field: "content.adaptedName"},
		{Name: "name", Value: bomberman.RegisterPlayerResponse{AdaptedName: "a b"},
			Err: lobbywire.ErrInvalid, Field: "content.adaptedName"},
	})
}
