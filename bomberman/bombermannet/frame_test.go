package bombermannet

import (
	"errors"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// A frame that counts units of UTF-16 is looked at a few times, not with each of
// its bytes: those of one peer would take seconds of a processor.
func TestFramerLooksSeldom(t *testing.T) {
	text := strings.Repeat("é", 32_000)
	b := []byte("32003{" + text + "}\n")
	var f framer
	looked := 0
	for n := range b {
		before := f.needed
		if _, _, err := f.next(b[:n]); err != lobbywire.ErrTruncated {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if f.needed != before {
			looked++
		}
	}
	if looked > 100 {
		t.Errorf("looked %d times", looked)
	}
	if payload, rest, err := f.next(b); err != nil || len(payload) != len(text)+2 || len(rest) != 0 {
		t.Errorf("%d bytes, %d are left, %v", len(payload), len(rest), err)
	}
}

// What ends the stream does so with the first byte that shows it, or soon.
func TestFramerRefuses(t *testing.T) {
	for _, sent := range []string{"65538{", "32003{" + strings.Repeat("é", 32_768) + "xxx", "4{}x" + strings.Repeat("y", 100)} {
		var f framer
		var err error
		for n := 0; n <= len(sent) && (err == nil || err == lobbywire.ErrTruncated); n++ {
			_, _, err = f.next([]byte(sent[:n]))
		}
		if e := (*lobbywire.Error)(nil); !errors.As(err, &e) {
			t.Errorf("%.9q: %v", sent, err)
		}
	}
	if size := bomberman.FrameSize([]byte("{}")); size != 0 {
		t.Errorf("what is no frame has %d bytes", size)
	}
}
