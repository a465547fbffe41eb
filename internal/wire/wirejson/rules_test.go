package wirejson_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

func TestAppendRulesSortsMembers(t *testing.T) {
	first := lobbywire.Rule{Key: "status", Value: "open"}
	got := wirejson.AppendRules([]lobbywire.Rule{first}, map[string]json.RawMessage{
		"text":   json.RawMessage(`"a\u00fc\n"`),
		"number": json.RawMessage(`1.50`),
		"object": json.RawMessage(`{"a":[null]}`),
		"null":   json.RawMessage(`null`),
		"bytes":  json.RawMessage("\"\xfc\""),
	})
	want := []lobbywire.Rule{
		first, {Key: "bytes", Value: "\ufffd"}, {Key: "null", Value: "null"}, {Key: "number", Value: "1.50"},
		{Key: "object", Value: `{"a":[null]}`}, {Key: "text", Value: "aü\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if wirejson.AppendRules(nil, nil) != nil {
		t.Error("rules of no members are not nil")
	}
}
