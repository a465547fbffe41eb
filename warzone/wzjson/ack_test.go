package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAckAndErrorAcceptTheirFormsOnly(t *testing.T) {
	ackCodec.Table(t, []codectest.Case[wzjson.Ack]{
		{Name: "update", In: message(`"command":"update-ack"`), Want: wzjson.Ack{Command: wzjson.CommandUpdateAck}},
		{Name: "goodbye", In: message(`"command":"goodbye-ack","x":1`),
			Want: wzjson.Ack{Command: wzjson.CommandGoodbyeAck, Extra: map[string]json.RawMessage{"x": []byte("1")}}},
		{Name: "add", In: message(`"command":"add-ack"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.command", Offset: len(head)},
	})
	errorCodec.Table(t, []codectest.Case[wzjson.Error]{
		{Name: "a message", In: message(`"command":"error","message":"no"`), Want: wzjson.Error{Message: "no"}},
		{Name: "no message", In: message(`"command":"error"`),
			Strict: lobbywire.ErrInvalid, Out: message(`"command":"error","message":""`)},
	})
	unknownCodec.Table(t, []codectest.Case[wzjson.Unknown]{
		{Name: "known command", In: message(`"command":"heartbeat","id":1`),
			Want: wzjson.Unknown{Command: "heartbeat", Extra: map[string]json.RawMessage{"id": []byte("1")}}},
		{Name: "command with escapes", In: message(`"command":"\u0061<"`),
			Want: wzjson.Unknown{Command: "a<"}, Out: message(`"command":"a<"`)},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "ack of a list", Value: wzjson.Ack{Command: "list-ack"},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.command"},
		{Name: "message that is not UTF-8", Value: wzjson.Error{Message: "\xff"},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.message"},
		{Name: "command that is not UTF-8", Value: wzjson.Unknown{Command: "\xff"},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.command"},
	})
}
