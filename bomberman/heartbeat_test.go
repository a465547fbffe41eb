package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func TestHeartbeat(t *testing.T) {
	type message = bomberman.Heartbeat
	const bare = `{"command":"xxHeartbeat"}`
	extra := map[string]json.RawMessage{"a": []byte(`"x"`)}
	testParse(t, bomberman.Options.ParseHeartbeat, []parseCase[message]{
		{name: "no content", in: bare},
		{name: "content null", in: `{"command":"xxHeartbeat","content":null}`, out: bare, strict: lobbywire.ErrInvalid},
		{name: "content empty", in: `{"command":"xxHeartbeat","content":{}}`, out: bare, strict: lobbywire.ErrInvalid},
		{name: "content with a member", in: `{"command":"xxHeartbeat","content":{"a":"x"}}`, want: message{Extra: extra}, strict: lobbywire.ErrInvalid},
		{name: "member beside the command", in: `{"command":"xxHeartbeat","a":"x"}`, want: message{Envelope: bomberman.Envelope{EnvelopeExtra: extra}}},
		{name: "content a text", in: `{"command":"xxHeartbeat","content":""}`, kind: lobbywire.ErrInvalid, field: "content", offset: 35},
		{name: "another command", in: `{"command":"msOther"}`, kind: lobbywire.ErrInvalid, field: "command", offset: 11},
		{name: "no command", in: `{}`, kind: lobbywire.ErrInvalid, field: "command", offset: 1},
	})
	testRefusals(t, []refusal{
		{"member that is not JSON", message{Extra: map[string]json.RawMessage{"a": []byte("x")}}, lobbywire.ErrInvalid, "content.extra"},
		{"member beside that is not JSON", message{Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"a": nil}}}, lobbywire.ErrInvalid, "extra"},
		{"second content", message{Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"content": []byte("1")}}}, lobbywire.ErrInvalid, "extra"},
	})
}
