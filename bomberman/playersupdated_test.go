package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func lobby(players ...bomberman.LobbyPlayer) bomberman.PlayersUpdated {
	return bomberman.PlayersUpdated{Players: append([]bomberman.LobbyPlayer{}, players...)}
}

func TestPlayersUpdated(t *testing.T) {
	const head = `{"command":"cPlayersUpdated","content":{"players":[`
	const a = `{"name":"a","isLeader":false}`
	p := bomberman.LobbyPlayer{Name: "a"}
	testParse(t, bomberman.Options.ParsePlayersUpdated, []parseCase[bomberman.PlayersUpdated]{
		{name: "none", in: head + `]}}`, want: lobby()},
		{name: "two, one of them with a member", in: head + a + `,{"name":"b","isLeader":true,"team":1}]}}`,
			want: lobby(p, bomberman.LobbyPlayer{Name: "b", IsLeader: true, Extra: map[string]json.RawMessage{"team": []byte("1")}})},
		{name: "five", in: head + a + `,` + a + `,` + a + `,` + a + `,` + a + `]}}`, want: lobby(p, p, p, p, p), strict: lobbywire.ErrTooLarge, out: "refused"},
		{name: "odd name", in: head + `{"name":"ä","isLeader":false}]}}`, want: lobby(bomberman.LobbyPlayer{Name: "ä"}), strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "comma missing", in: head + a + a + `]}}`, kind: lobbywire.ErrInvalid, field: "content.players", offset: 80},
		{name: "comma at the end", in: head + a + `,]}}`, kind: lobbywire.ErrInvalid, field: "content.players[1]", offset: 81},
		{name: "leader missing", in: head + `{"name":"a"}]}}`, kind: lobbywire.ErrInvalid, field: "content.players[0].isLeader", offset: 62},
	})
	_, err := bomberman.Options{Strict: true}.ParsePlayersUpdated([]byte(head + a + `,` + a + `,` + a + `,` + a + `,` + a + `]}}`))
	wantError(t, err, lobbywire.ErrTooLarge, "content.players", 50)
	testRefusals(t, []refusal{
		{"five", lobby(p, p, p, p, p), lobbywire.ErrTooLarge, "content.players"},
		{"odd name", lobby(p, bomberman.LobbyPlayer{}), lobbywire.ErrInvalid, "content.players[1].name"},
	})
}
