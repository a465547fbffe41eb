package wzproposal_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// However a stream is cut, a Framer searches each byte once.
func TestFramerReadsOnce(t *testing.T) {
	o := wzproposal.Options{MaxLine: 1 << 20}
	f := codectest.Frames{Framer: func() codectest.Framer { return &wzproposal.Framer{Options: o} }}
	for _, size := range []int{1, 2, 3, 8, 1000, 1 << 20} {
		f.ReadsOnce(t, []byte(strings.Repeat(strings.Repeat("x", 50_000)+"\nDONE\n", 2)), size, 0)
	}
}

// answers returns a list with n games, and the end of another one.
func answers(t testing.TB, e wzproposal.Encoding, n int) []byte {
	t.Helper()
	list := wzproposal.GameList{Games: make([]wzproposal.Game, n)}
	for i := range list.Games {
		list.Games[i] = aGame(i)
	}
	b, err := e.Append(nil, list)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inParts reads answers that arrive in parts with a Framer.
func inParts(e wzproposal.Encoding, stream []byte, size int) (all []wzproposal.Response, err error) {
	f := wzproposal.Framer{Options: wzproposal.Options{Encoding: e}}
	for from, to := 0, 0; to < len(stream); {
		to = min(to+size, len(stream))
		for {
			m, rest, err := f.NextResponse(stream[from:to])
			from = to - len(rest)
			if err == lobbywire.ErrTruncated {
				break
			}
			if err != nil {
				return all, err
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// Answers are the same however they are cut.
func TestFramerReadsAnswers(t *testing.T) {
	for _, e := range []wzproposal.Encoding{wzproposal.Text, wzproposal.Binary} {
		stream := bytes.Join([][]byte{answers(t, e, 3), answers(t, e, 0), answers(t, e, 1)}, nil)
		want, err := inParts(e, stream, len(stream))
		if err != nil || len(want) != 3 {
			t.Fatalf("%v: %d answers, %v", e, len(want), err)
		}
		for size := 1; size < len(stream); size++ {
			got, err := inParts(e, stream, size)
			if !reflect.DeepEqual(want, got) || err != nil {
				t.Fatalf("%v in parts of %d bytes: %+v, %v, want %+v", e, size, got, err, want)
			}
		}
	}
}

func aGame(i int) wzproposal.Game {
	return wzproposal.Game{IP: netip.MustParseAddr("192.0.2.7"), Port: 2100, Name: fmt.Sprintf("Game %d", i),
		Status: "open"}
}
