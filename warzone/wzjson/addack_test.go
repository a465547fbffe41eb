package wzjson_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestAddAckAcceptsItsFormsOnly(t *testing.T) {
	long := strings.Repeat("x", wzjson.MaxID)
	addAckCodec.Table(t, []codectest.Case[wzjson.AddAck]{
		{Name: "an id", In: message(`"command":"add-ack","id":"` + long + `"`), Want: wzjson.AddAck{ID: long}},
		{Name: "empty id", In: message(`"command":"add-ack","id":""`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 61},
		{Name: "long id", In: message(`"command":"add-ack","id":"x` + long + `"`),
			Err: lobbywire.ErrTooLarge, Field: "lobbyquery.query.id", Offset: 61},
		{Name: "id a number", In: message(`"command":"add-ack","id":7`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 61},
		{Name: "no id", In: message(`"command":"add-ack"`),
			Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id", Offset: 55},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "empty id", Value: wzjson.AddAck{}, Err: lobbywire.ErrInvalid, Field: "lobbyquery.query.id"},
		{Name: "long id", Value: wzjson.AddAck{ID: "x" + long},
			Err: lobbywire.ErrTooLarge, Field: "lobbyquery.query.id"},
	})
}
