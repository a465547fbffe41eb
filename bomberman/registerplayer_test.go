package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func TestRegisterPlayer(t *testing.T) {
	const head = `{"command":"gsRegisterPlayer","content":{"name":`
	testParse(t, bomberman.Options.ParseRegisterPlayer, []parseCase[bomberman.RegisterPlayer]{
		{name: "a name", in: head + `"Tokyo2020"}}`, want: bomberman.RegisterPlayer{Name: "Tokyo2020"}},
		{name: "a name to be rejected", in: head + `"Thomas de Maizière"}}`, want: bomberman.RegisterPlayer{Name: "Thomas de Maizière"}, strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "an empty name", in: head + `""}}`, strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "no text", in: head + `1}}`, kind: lobbywire.ErrInvalid, field: "content.name", offset: 48},
		{name: "no name", in: `{"command":"gsRegisterPlayer","content":{}}`, kind: lobbywire.ErrInvalid, field: "content.name", offset: 41},
		{name: "content a text", in: `{"command":"gsRegisterPlayer","content":"a"}`, kind: lobbywire.ErrInvalid, field: "content", offset: 40},
		{name: "Latin-1", in: head + "\"B\xf6se\"}}", kind: lobbywire.ErrInvalid, field: "content.name", offset: 48},
		{name: "half a pair of surrogates", in: head + `"\ud83d"}}`, kind: lobbywire.ErrInvalid, field: "content.name", offset: 48},
	})
	testRefusals(t, []refusal{
		{"empty name", bomberman.RegisterPlayer{}, lobbywire.ErrInvalid, "content.name"},
		{"space", bomberman.RegisterPlayer{Name: "a b"}, lobbywire.ErrInvalid, "content.name"},
		{"beyond ASCII", bomberman.RegisterPlayer{Name: "ä"}, lobbywire.ErrInvalid, "content.name"},
	})
}

func TestRegisterPlayerResponse(t *testing.T) {
	const head = `{"command":"gsRRegisterPlayer","content":{`
	testParse(t, bomberman.Options.ParseRegisterPlayerResponse, []parseCase[bomberman.RegisterPlayerResponse]{
		{name: "accepted", in: head + `"rejected":false,"adaptedName":"Tokyo20201"}}`, want: bomberman.RegisterPlayerResponse{AdaptedName: "Tokyo20201"}},
		{name: "rejected", in: head + `"rejected":true,"adaptedName":""}}`, want: bomberman.RegisterPlayerResponse{Rejected: true}},
		{name: "rejected with a name", in: head + `"rejected":true,"adaptedName":"a"}}`, want: bomberman.RegisterPlayerResponse{Rejected: true, AdaptedName: "a"}, strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "accepted without a name", in: head + `"adaptedName":"","rejected":false}}`, strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "no name", in: head + `"rejected":true}}`, kind: lobbywire.ErrInvalid, field: "content.adaptedName", offset: 57},
	})
	_, err := bomberman.Options{Strict: true}.ParseRegisterPlayerResponse([]byte(head + `"adaptedName":"a b","rejected":false}}`))
	wantError(t, err, lobbywire.ErrInvalid, "content.adaptedName", 56)
	testRefusals(t, []refusal{
		{"rejected with a name", bomberman.RegisterPlayerResponse{Rejected: true, AdaptedName: "a"}, lobbywire.ErrInvalid, "content.adaptedName"},
		{"accepted without a name", bomberman.RegisterPlayerResponse{}, lobbywire.ErrInvalid, "content.adaptedName"},
		{"name", bomberman.RegisterPlayerResponse{AdaptedName: "a b"}, lobbywire.ErrInvalid, "content.adaptedName"},
	})
}
