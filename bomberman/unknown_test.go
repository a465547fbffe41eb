package bomberman_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestUnknownKeepsTheContent(t *testing.T) {
	unknownCodec.Table(t, []codectest.Case[bomberman.Unknown]{
		{Name: "no content", In: `{"command":"a"}`, Want: bomberman.Unknown{Command: "a"}},
		{Name: "an object", In: `{"command":"a","content":{"b" : [1.50]}}`,
			Want: bomberman.Unknown{Command: "a", Content: []byte(`{"b" : [1.50]}`)}},
		{Name: "a text with escapes", In: `{"command":"a","content":"\u2028\/"}`,
			Want: bomberman.Unknown{Command: "a", Content: []byte(`"\u2028\/"`)}, Strict: lobbywire.ErrInvalid},
		{Name: "null", In: `{"command":"a","content":null}`,
			Want: bomberman.Unknown{Command: "a", Content: []byte("null")}, Strict: lobbywire.ErrInvalid},
		{Name: "known command", In: `{"command":"xxHeartbeat"}`, Want: bomberman.Unknown{Command: "xxHeartbeat"}},
		{Name: "too deep", In: `{"command":"a","content":` + strings.Repeat("[", 40),
			Err: lobbywire.ErrTooLarge, Field: "content", Offset: 25},
		{Name: "member twice in the content", In: `{"command":"a","content":{"b":1,"b":1}}`,
			Err: lobbywire.ErrInvalid, Field: "content", Offset: 25},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "command that is not UTF-8", Value: bomberman.Unknown{Command: "\xff"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "content that is not JSON", Value: bomberman.Unknown{Command: "a", Content: []byte("{")},
			Err: lobbywire.ErrInvalid, Field: "content"},
		{Name: "second command",
			Value: bomberman.Unknown{EnvelopeExtra: map[string]json.RawMessage{"command": []byte("1")}},
			Err:   lobbywire.ErrInvalid, Field: "extra"},
		{Name: "too long", Value: bomberman.Unknown{Command: strings.Repeat("a", 65536-len(`{"command":""}`))},
			Err: lobbywire.ErrTooLarge},
	})
	if _, err := (bomberman.Unknown{Command: strings.Repeat("a",
		65535-len(`{"command":""}`))}).AppendBinary(nil); err != nil {
		t.Errorf("longest: %v", err)
	}
}
