package wzjson_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAddAck(t *testing.T) {
	long := strings.Repeat("x", wzjson.MaxID)
	testParse(t, wzjson.Options.ParseAddAck, []parseCase[wzjson.AddAck]{
		{name: "an id", query: `"command":"add-ack","id":"` + long + `"`, want: wzjson.AddAck{ID: long}},
		{name: "empty id", query: `"command":"add-ack","id":""`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 61},
		{name: "long id", query: `"command":"add-ack","id":"x` + long + `"`, kind: lobbywire.ErrTooLarge, field: "lobbyquery.query.id", offset: 61},
		{name: "id a number", query: `"command":"add-ack","id":7`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 61},
		{name: "no id", query: `"command":"add-ack"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 55},
	})
	testRefusals(t, []refusal{
		{"empty id", wzjson.AddAck{}, lobbywire.ErrInvalid, "lobbyquery.query.id"},
		{"long id", wzjson.AddAck{ID: "x" + long}, lobbywire.ErrTooLarge, "lobbyquery.query.id"},
	})
}
