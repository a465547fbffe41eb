package wzjson_test

import (
	"encoding/json"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestListAckAcceptsItsFormsOnly(t *testing.T) {
	v6 := netip.MustParseAddr("2001:db8::1")
	listAckCodec.Table(t, []codectest.Case[wzjson.ListAck]{
		{Name: "none", In: message(`"command":"list-ack","games":[]`), Want: wzjson.ListAck{Games: []wzjson.Game{}}},
		{Name: "two", In: message(`"command":"list-ack","games":[{"host":"2001:db8::1","port":65535,"name":"a",` +
			`"map":"b","tech":"T1","players":8,"x":1},{}]`),
			Want: wzjson.ListAck{Games: []wzjson.Game{{Host: v6, Port: 65535, Name: "a", Map: "b", Tech: "T1",
				MaxPlayers: 8,
				Extra:      map[string]json.RawMessage{"x": []byte("1")}}, {}}}, Strict: lobbywire.ErrInvalid},
		{Name: "games that cannot be read", In: message(`"command":"list-ack","games":[{"host":"localhost"},` +
			`{"host":"fe80::1%a"},{"port":1},{"port":0},{"port":65536},null]`),
			Want:   wzjson.ListAck{Games: []wzjson.Game{{Port: 1}}, Skipped: 5},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "games before the command",
			In:     message("\"games\":[{\"name\":\"\xfc\"},{\"port\":1}],\"command\":\"list-ack\""),
			Want:   wzjson.ListAck{Games: []wzjson.Game{{Port: 1}}, Skipped: 1},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "no games", In: message(`"command":"list-ack"`),
			Want: wzjson.ListAck{Games: []wzjson.Game{}}, Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "null", In: message(`"command":"list-ack","games":null`),
			Want: wzjson.ListAck{Games: []wzjson.Game{}}, Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "no array", In: message(`"command":"list-ack","games":{}`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.games", Offset: 65},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "zone", Value: wzjson.ListAck{Games: []wzjson.Game{{}, {Host: v6.WithZone("a")}}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.games[1].host"},
		{Name: "skipped", Value: wzjson.ListAck{Skipped: 1}, Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.games"},
		{Name: "players", Value: wzjson.ListAck{Games: []wzjson.Game{{MaxPlayers: -1}}},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.games[0].players"},
		{Name: "member again",
			Value: wzjson.ListAck{Games: []wzjson.Game{{Extra: map[string]json.RawMessage{"port": []byte("1")}}}},
			Err:   lobbywire.ErrInvalid, Field: "lobbyquery.query.games[0].extra"},
		{Name: "too long", Value: wzjson.ListAck{Games: make([]wzjson.Game, 30000)}, Err: lobbywire.ErrTooLarge},
	})
}
