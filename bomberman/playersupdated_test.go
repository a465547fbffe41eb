package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func lobby(players ...bomberman.LobbyPlayer) bomberman.PlayersUpdated {
	return bomberman.PlayersUpdated{Players: append([]bomberman.LobbyPlayer{}, players...)}
}

func TestPlayersUpdatedAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"cPlayersUpdated","content":{"players":[`
	const a = `{"name":"a","isLeader":false}`
	p := bomberman.LobbyPlayer{Name: "a"}
	playersUpdatedCodec.Table(t, []codectest.Case[bomberman.PlayersUpdated]{
		{Name: "none", In: head + `]}}`, Want: lobby()},
		{Name: "two, one of them with a member", In: head + a + `,{"name":"b","isLeader":true,"team":1}]}}`,
			Want: lobby(p, bomberman.LobbyPlayer{Name: "b", IsLeader: true,
				Extra: map[string]json.RawMessage{"team": []byte("1")}})},
		{Name: "five", In: head + a + `,` + a + `,` + a + `,` + a + `,` + a + `]}}`, Want: lobby(p, p, p, p, p),
			Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "odd name", In: head + `{"name":"ä","isLeader":false}]}}`, Want: lobby(bomberman.LobbyPlayer{Name: "ä"}),
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "comma missing", In: head + a + a + `]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.players", Offset: 80},
		{Name: "comma at the end", In: head + a + `,]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.players[1]", Offset: 81},
		{Name: "leader missing", In: head + `{"name":"a"}]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.players[0].isLeader", Offset: 62},
	})
	_, err := bomberman.Options{Strict: true}.ParsePlayersUpdated([]byte(head + a + `,` + a + `,` + a + `,` + a + `,` +
		a + `]}}`))
	wantError(t, err, lobbywire.ErrTooLarge, "content.players", 50)
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five", Value: lobby(p, p, p, p, p), Err: lobbywire.ErrTooLarge, Field: "content.players"},
		{Name: "odd name", Value: lobby(p, bomberman.LobbyPlayer{}),
			Err: lobbywire.ErrInvalid, Field: "content.players[1].name"},
	})
}
