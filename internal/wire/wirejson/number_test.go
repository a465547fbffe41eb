package wirejson

import (
	"testing"

	"github.com/lobbywire/lobbywire/internal/wire"
)

func TestIntReadsWhatFits(t *testing.T) {
	for _, tt := range []struct {
		text        string
		want        int64
		ok, plainOK bool
	}{
		{"0", 0, true, true},
		{"-0", 0, true, true},
		{"42", 42, true, true},
		{"00", 0, false, false},
		{"123456789", 123456789, true, true},
		{"1234567890", 1234567890, true, true},
		{"123456789012345678", 123456789012345678, true, true},
		{"-42", -42, true, true},
		{"9223372036854775807", 1<<63 - 1, true, true},
		{"-9223372036854775808", -1 << 63, true, true},
		{"9223372036854775808", 0, false, false},
		{"99999999999999999999999", 0, false, false},
		{"1.0", 1, true, false},
		{"-1.0", -1, true, false},
		{"1e0", 1, true, false},
		{"1E2", 100, true, false},
		{"1.25e2", 125, true, false},
		{"1200e-2", 12, true, false},
		{"0e99999999999999999999", 0, true, false},
		{"0.000", 0, true, false},
		{"0.001e3", 1, true, false},
		{"9223372036854775807.00", 1<<63 - 1, true, false},
		{"1e18", 1e18, true, false},
		{"1e19", 0, false, false},
		{"1e99999999999999999999", 0, false, false},
		{"1e-99999999999999999999", 0, false, false},
		{"1.5", 0, false, false},
		{"12e-1", 0, false, false},
		{"0.1e-1", 0, false, false},
	} {
		for i := range 4 {
			text, plain := tt.text, i&1 == 0
			if i&2 == 0 {
				text += "," // which ends the number
			}
			r := wire.NewReader([]byte(text))
			j := NewReader(&r)
			got := j.Int(-1<<63, 1<<63-1, plain)
			ok := tt.ok
			if plain {
				ok = tt.plainOK
			}
			if r.Failed() == ok || ok && got != tt.want {
				t.Errorf("%s, plain %v: %d, %v; want %d, ok %v", text, plain, got, r.Err("test"), tt.want, ok)
			}
		}
	}
}
