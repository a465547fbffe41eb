package terminal

import (
	"bufio"
	"errors"
	"strings"
	"testing"
)

func TestPagerWaitsAfterEachPage(t *testing.T) {
	const more = "-- enter for more, q and enter to end -- "
	for _, tt := range []struct {
		keys, want string
		left       bool
	}{
		{"\n\n", "1\n2\n" + more + "3\n4\n" + more + "5", false},
		{"\nq\n", "1\n2\n" + more + "3\n4\n" + more, true},
		{"", "1\n2\n" + more, true},
	} {
		var out strings.Builder
		p := &pager{out: &out, in: bufio.NewReader(strings.NewReader(tt.keys)), height: 3}
		var err error
		for _, text := range []string{"1\n2", "\n3\n4\n", "5"} {
			_, err = p.Write([]byte(text))
			if err != nil {
				break
			}
		}
		if out.String() != tt.want || errors.Is(err, ErrLeft) != tt.left {
			t.Errorf("%q: %q, error %v; want %q", tt.keys, out.String(), err, tt.want)
		}
	}
}
