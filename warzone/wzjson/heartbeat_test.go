package wzjson_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestHeartbeatAndGoodbyeAcceptTheirFormsOnly(t *testing.T) {
	heartbeatCodec.Table(t, []codectest.Case[wzjson.Heartbeat]{
		{Name: "heartbeat", In: message(`"command":"heartbeat","id":"a"`), Want: wzjson.Heartbeat{ID: "a"}},
		{Name: "heartbeat without id", In: message(`"command":"heartbeat"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 57},
	})
	goodbyeCodec.Table(t, []codectest.Case[wzjson.Goodbye]{
		{Name: "goodbye", In: message(`"command":"goodbye","id":"a"`), Want: wzjson.Goodbye{ID: "a"}},
		{Name: "goodbye without id", In: message(`"command":"goodbye"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 55},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "heartbeat without id", Value: wzjson.Heartbeat{},
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id"},
		{Name: "goodbye without id", Value: wzjson.Goodbye{}, Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id"},
	})
}
