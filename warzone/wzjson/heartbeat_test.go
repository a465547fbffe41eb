package wzjson_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestHeartbeatAndGoodbye(t *testing.T) {
	testParse(t, wzjson.Options.ParseHeartbeat, []parseCase[wzjson.Heartbeat]{
		{name: "heartbeat", query: `"command":"heartbeat","id":"a"`, want: wzjson.Heartbeat{ID: "a"}},
		{name: "heartbeat without id", query: `"command":"heartbeat"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 57},
	})
	testParse(t, wzjson.Options.ParseGoodbye, []parseCase[wzjson.Goodbye]{
		{name: "goodbye", query: `"command":"goodbye","id":"a"`, want: wzjson.Goodbye{ID: "a"}},
		{name: "goodbye without id", query: `"command":"goodbye"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.id", offset: 55},
	})
	testRefusals(t, []refusal{
		{"heartbeat without id", wzjson.Heartbeat{}, lobbywire.ErrInvalid, "lobbyquery.query.id"},
		{"goodbye without id", wzjson.Goodbye{}, lobbywire.ErrInvalid, "lobbyquery.query.id"},
	})
}
