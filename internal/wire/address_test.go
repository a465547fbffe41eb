package wire

import (
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestIPv4ReadsFourBytes(t *testing.T) {
	r := NewReader([]byte{127, 0, 0, 1, 10})
	if got := r.IPv4("a").String(); got != "127.0.0.1" {
		t.Errorf("got %s", got)
	}
	if got := r.IPv4("b"); got.IsValid() {
		t.Errorf("address of one byte: %s", got)
	}
	if err := r.Err("test"); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("address of one byte: error %v", err)
	}
	e := Explain("test", "X", []byte{8, 8, 4, 4}, func(r *Reader) { r.IPv4("a") })
	if got := e.Fields[0]; got.Value != "8.8.4.4" || got.Length != 4 {
		t.Errorf("explained as %+v", got)
	}
}
