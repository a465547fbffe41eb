package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTablesFitTheTerminal(t *testing.T) {
	lines := func(all ...string) string { return strings.Join(all, "\n") + "\n" }
	all := Table{Header: []string{"ADDRESS", "PLAYERS", "NAME"}}
	all.Add("127.0.0.1:1", "3/16", strings.Repeat("健太", 21))
	all.Add("192.0.2.100:25600", "", "x")
	for _, tt := range []struct {
		width int
		want  string
	}{
		{41, lines(
			"ADDRESS            PLAYERS  NAME",
			"127.0.0.1:1           3/16  健太健太健太…",
			"192.0.2.100:25600           x",
		)},
		{5, lines( // the narrowest table
			"ADDRESS   PLAYERS  NAME",
			"127.0.0…     3/16  健太健…",
			"192.0.2…           x",
		)},
		{0, lines(
			"ADDRESS            PLAYERS  NAME",
			"127.0.0.1:1           3/16  "+strings.Repeat("健太", 19)+"健…",
			"192.0.2.100:25600           x",
		)},
	} {
		var b bytes.Buffer
		if err := all.Write(&b, Screen{Width: tt.width}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", tt.width, diff)
		}
	}
}

// Pairs of names and values are printed whole where nothing limits the width.
func TestPairsAreWhole(t *testing.T) {
	long := strings.Repeat("long ", 60) + "text"
	pairs := Table{Rows: [][]string{{"motd", long}}}
	var b bytes.Buffer
	if err := pairs.Write(&b, Screen{}); err != nil || b.String() != "motd  "+long+"\n" {
		t.Errorf("%v, %q", err, &b)
	}
}
