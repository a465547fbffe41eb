package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestHeartbeatAcceptsItsFormsOnly(t *testing.T) {
	testBare(t, heartbeatCodec, "xxHeartbeat", func(e bomberman.Envelope) bomberman.Heartbeat {
		return bomberman.Heartbeat{Envelope: e}
	})
}

// testBare tests a message without content.
func testBare[M bomberman.Message](t *testing.T, c codec[M], command string,
	message func(e bomberman.Envelope) M) {
	type members = map[string]json.RawMessage
	inContent := func(extra members) M { return message(bomberman.Envelope{Extra: extra}) }
	beside := func(extra members) M { return message(bomberman.Envelope{EnvelopeExtra: extra}) }
	head := `{"command":"` + command + `"`
	extra := members{"a": []byte(`"x"`)}
	c.Table(t, []codectest.Case[M]{
		{Name: "no content", In: head + `}`},
		{Name: "content null", In: head + `,"content":null}`, Out: head + `}`, Strict: lobbywire.ErrInvalid},
		{Name: "content empty", In: head + `,"content":{}}`, Out: head + `}`, Strict: lobbywire.ErrInvalid},
		{Name: "content with a member", In: head + `,"content":{"a":"x"}}`, Want: inContent(extra),
			Strict: lobbywire.ErrInvalid},
		{Name: "member beside the command", In: head + `,"a":"x"}`, Want: beside(extra)},
		{Name: "content a text", In: head + `,"content":""}`,
			Err: lobbywire.ErrInvalid, Field: "content", Offset: len(head + `,"content":`)},
		{Name: "another command", In: `{"command":"msOther"}`, Err: lobbywire.ErrInvalid, Field: "command", Offset: 11},
		{Name: "no command", In: `{}`, Err: lobbywire.ErrInvalid, Field: "command", Offset: 1},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "member that is not JSON", Value: inContent(members{"a": []byte("x")}),
			Err: lobbywire.ErrInvalid, Field: "content.extra"},
		{Name: "member beside that is not JSON", Value: beside(members{"a": nil}),
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "second content", Value: beside(members{"content": []byte("1")}),
			Err: lobbywire.ErrInvalid, Field: "extra"},
	})
}
