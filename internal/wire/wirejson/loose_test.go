package wirejson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A loose Reader returns the last of several members with the same name.
func TestLooseReaderTakesTheLastMember(t *testing.T) {
	r := wire.NewReader([]byte(`{"a":1,"x":[1],"a":2,"x":{"y":1,"y":2},"a":3}`))
	j := NewLooseReader(&r)
	var extra map[string]json.RawMessage
	var values []int64
	for o := j.Object([]string{"a"}, 1, &extra); o.Next(); {
		values = append(values, j.Int(0, 9, true))
	}
	j.End()
	if err := r.Err("test"); err != nil {
		t.Fatal(err)
	}
	want := map[string]json.RawMessage{"x": json.RawMessage(`{"y":1,"y":2}`)}
	if diff := cmp.Diff(want, extra) + cmp.Diff([]int64{1, 2, 3}, values); diff != "" {
		t.Error(diff)
	}
}

func TestLooseDepthIsLimited(t *testing.T) {
	for depth, want := range map[int]error{MaxLooseDepth: nil, MaxLooseDepth + 1: lobbywire.ErrTooLarge} {
		r := wire.NewReader([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)))
		j := NewLooseReader(&r)
		j.Skip()
		if err := r.Err("test"); !errors.Is(err, want) {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}
