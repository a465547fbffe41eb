package messagejson_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire/internal/messagejson"
)

// Raw JSON keeps its bytes, except white space between tokens.
func TestRawJSONKeepsItsBytes(t *testing.T) {
	type message struct {
		Value json.RawMessage
		Extra map[string]json.RawMessage
	}
	for in, want := range map[string]string{
		`1.0`:                           `1.0`,
		`1E+2`:                          `1E+2`,
		`"<&>"`:                         `"<&>"`,
		`"\u003c\u0026"`:                `"\u003c\u0026"`,
		"\"\u2028\u2029\"":              "\"\u2028\u2029\"",
		`"\u2028 \/"`:                   `"\u2028 \/"`,
		"{\"a  b\" :\t[ 1.0 ,\r\n2 ] }": `{"a  b":[1.0,2]}`,
		`{"y":1,"y":2}`:                 `{"y":1,"y":2}`,
	} {
		raw := json.RawMessage(in)
		text, err := messagejson.Marshal(message{raw, map[string]json.RawMessage{"x": raw}})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); got != `{"value":`+want+`,"extra":{"x":`+want+`}}` {
			t.Errorf("%s is written as %s", in, got)
		}
		used := message{nil, map[string]json.RawMessage{"x": json.RawMessage(`"old"`), "y": nil}}
		if err := messagejson.Unmarshal(text, &used); err != nil {
			t.Fatal(err)
		}
		if got := string(used.Extra["x"]); got != want || string(used.Value) != want || len(used.Extra) != 1 {
			t.Errorf("%s is read as %q", in, used)
		}
	}
}
