package bomberman_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func TestUnknown(t *testing.T) {
	testParse(t, bomberman.Options.ParseUnknown, []parseCase[bomberman.Unknown]{
		{name: "no content", in: `{"command":"a"}`, want: bomberman.Unknown{Command: "a"}},
		{name: "an object", in: `{"command":"a","content":{"b" : [1.50]}}`, want: bomberman.Unknown{Command: "a", Content: []byte(`{"b" : [1.50]}`)}},
		{name: "a text with escapes", in: `{"command":"a","content":"\u2028\/"}`, want: bomberman.Unknown{Command: "a", Content: []byte(`"\u2028\/"`)}, strict: lobbywire.ErrInvalid},
		{name: "null", in: `{"command":"a","content":null}`, want: bomberman.Unknown{Command: "a", Content: []byte("null")}, strict: lobbywire.ErrInvalid},
		{name: "known command", in: `{"command":"xxHeartbeat"}`, want: bomberman.Unknown{Command: "xxHeartbeat"}},
		{name: "too deep", in: `{"command":"a","content":` + strings.Repeat("[", 40), kind: lobbywire.ErrTooLarge, field: "content", offset: 25},
		{name: "member twice in the content", in: `{"command":"a","content":{"b":1,"b":1}}`, kind: lobbywire.ErrInvalid, field: "content", offset: 25},
	})
	testRefusals(t, []refusal{
		{"command that is not UTF-8", bomberman.Unknown{Command: "\xff"}, lobbywire.ErrInvalid, "command"},
		{"content that is not JSON", bomberman.Unknown{Command: "a", Content: []byte("{")}, lobbywire.ErrInvalid, "content"},
		{"second command", bomberman.Unknown{Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"command": []byte("1")}}}, lobbywire.ErrInvalid, "extra"},
		{"too long", bomberman.Unknown{Command: strings.Repeat("a", 65536-len(`{"command":""}`))}, lobbywire.ErrTooLarge, ""},
	})
	if _, err := (bomberman.Unknown{Command: strings.Repeat("a", 65535-len(`{"command":""}`))}).MarshalBinary(); err != nil {
		t.Errorf("longest: %v", err)
	}
}
