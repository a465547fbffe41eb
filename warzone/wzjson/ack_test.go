package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAckAndError(t *testing.T) {
	testParse(t, wzjson.Options.ParseAck, []parseCase[wzjson.Ack]{
		{name: "update", query: `"command":"update-ack"`, want: wzjson.Ack{Command: wzjson.CommandUpdateAck}},
		{name: "goodbye", query: `"command":"goodbye-ack","x":1`, want: wzjson.Ack{Command: wzjson.CommandGoodbyeAck, Extra: map[string]json.RawMessage{"x": []byte("1")}}},
		{name: "add", query: `"command":"add-ack"`, kind: lobbywire.ErrInvalid, field: "lobbyquery.query.command", offset: len(head)},
	})
	testParse(t, wzjson.Options.ParseError, []parseCase[wzjson.Error]{
		{name: "a message", query: `"command":"error","message":"no"`, want: wzjson.Error{Message: "no"}},
		{name: "no message", query: `"command":"error"`, strict: lobbywire.ErrInvalid, out: `"command":"error","message":""`},
	})
	testParse(t, wzjson.Options.ParseUnknown, []parseCase[wzjson.Unknown]{
		{name: "known command", query: `"command":"heartbeat","id":1`, want: wzjson.Unknown{Command: "heartbeat", Extra: map[string]json.RawMessage{"id": []byte("1")}}},
		{name: "command with escapes", query: `"command":"\u0061<"`, want: wzjson.Unknown{Command: "a<"}, out: `"command":"a<"`},
	})
	testRefusals(t, []refusal{
		{"ack of a list", wzjson.Ack{Command: wzjson.CommandListAck}, lobbywire.ErrInvalid, "lobbyquery.query.command"},
		{"message that is not UTF-8", wzjson.Error{Message: "\xff"}, lobbywire.ErrInvalid, "lobbyquery.query.message"},
		{"command that is not UTF-8", wzjson.Unknown{Command: "\xff"}, lobbywire.ErrInvalid, "lobbyquery.query.command"},
	})
}
