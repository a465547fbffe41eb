package output

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// picture compares the output for a terminal with a file. With UPDATE_GOLDEN=1 it
// writes the file.
func picture(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s; UPDATE_GOLDEN=1 go test ./gamequery writes it (-want +got):\n%s", path, diff)
	}
}

// oddNames are unusual names of servers.
var oddNames = []string{
	"Plain",
	"",
	strings.Repeat("A long name ", 20),
	strings.Repeat("健太", 60),
	"שרת המשחקים של תל אביב 3/16",
	strings.Repeat("خادم الألعاب ", 20),
	"mixed עברית and English",
	"family 👨\u200d👩\u200d👧 wave 👋🏽 flag 🇩🇪 heart ❤\ufe0f",
	"e\u0301cole " + strings.Repeat("\u0301", 40),
	"नमस्ते 각 ไทย",
	"\x1b[31mred\x1b[0m \x1b]0;title\x07",
	"\u009b2J cleared, Latin-1 \x9b2J",
	"over\u202eride \u2066isolate \u200fmark",
	"two\nlines\r\tand a tab",
	strings.Repeat("\x1b", 80),
}

// oddServers returns the answers of servers with such names.
func oddServers(count int) []Answer {
	rows := make([]Answer, count)
	for i := range rows {
		m := sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{
			CurrentPlayers: uint16(i % 17), MaxPlayers: 16, Port: uint16(25600 + i%250),
			ServerName: oddNames[i%len(oddNames)], GameType: "Deathmatch", Map: oddNames[(i+4)%len(oddNames)],
		}}
		rows[i] = Answer{
			Query: netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i / 250)}), uint16(25601+i%250)),
			View:  m.View(), Message: m, RTT: time.Duration(i) * time.Millisecond, Attempts: 1,
		}
	}
	return rows
}

func scannedText(t *testing.T, rows []Answer, on terminal.Screen) string {
	t.Helper()
	var b bytes.Buffer
	if err := ScanLayout().write(&b, rows, on); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Tables with all kinds of names look as in the files.
func TestTablesOfAnyNamesAlign(t *testing.T) {
	for name, on := range map[string]terminal.Screen{
		"scan80":       {Width: 80},
		"scan200":      {Width: 200},
		"scanPiped":    {},
		"scanColoured": {Width: 80, Coloured: true},
	} {
		t.Run(name, func(t *testing.T) {
			picture(t, name, scannedText(t, oddServers(len(oddNames)), on))
		})
	}
}

// With any name, a row is one line, fits the width of the terminal, has no control
// characters, and closes its isolates.
func TestRowsKeepToTheirLine(t *testing.T) {
	const count = 5000
	for _, width := range []int{80, 200} {
		text := scannedText(t, oddServers(count), terminal.Screen{Width: width})
		n := 0
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimSuffix(line, "\n")
			if got := displaywidth.String(line); got > width {
				t.Fatalf("line %d has %d columns, the terminal %d: %q", n, got, width, line)
			}
			if opened := strings.Count(line, "\u2068"); opened != strings.Count(line, "\u2069") {
				t.Fatalf("line %d does not close what it isolates: %q", n, line)
			}
			for _, c := range line {
				if string(terminal.EscapeControls([]byte(string(c)))) != string(c) && c != '\u2068' && c != '\u2069' || c < ' ' {
					t.Fatalf("line %d has %q: %q", n, c, line)
				}
			}
		}
		if n != count+1 {
			t.Errorf("%d lines, want %d and a header", n, count)
		}
	}
}

// A narrow screen has fewer columns, and whole addresses.
func TestNarrowScreensHaveWholeAddresses(t *testing.T) {
	rows := oddServers(300)
	for width, want := range map[int]string{80: "RTT/ms", 60: "MAP", 40: "PLAYERS"} {
		text := scannedText(t, rows, terminal.Screen{Width: width})
		header, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(header, want) || !strings.Contains(text, "\n192.0.2.1:25649 ") ||
			width < 80 && strings.Contains(header, "RTT") {
			t.Errorf("%d columns:\n%s", width, header)
		}
	}
}

// A table without rows prints a text.
func TestTablesWithoutRowsPrintAText(t *testing.T) {
	for _, tt := range []struct {
		write func(w io.Writer) error
		want  string
	}{
		{func(w io.Writer) error { return Layout{None: "the list is empty"}.write(w, nil, terminal.Screen{}) },
			"the list is empty\n"},
		{func(w io.Writer) error {
			empty := sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{"name"}}}
			return writeAnswer(w, Answer{Message: empty, View: empty.View(), Attempts: 1}, terminal.Screen{Width: 80})
		}, "rtt  0.000 ms, at attempt 1\n\nPLAYERS\nnone\n"},
		{func(w io.Writer) error {
			hidden := gamespy2.Response{
				Info: []gamespy2.KeyValue{{Key: "numplayers", Value: "7"}}, Players: gamespy2.Table{Columns: []string{"player_"}},
			}
			return writeAnswer(w, Answer{Message: hidden, View: hidden.View(), Attempts: 1}, terminal.Screen{Width: 80})
		}, "players  7\nrtt      0.000 ms, at attempt 1\n\nINFO\nnumplayers  7\n\nPLAYERS\nnot listed\n"},
		{func(w io.Writer) error {
			empty := gamespy2.Table{Columns: []string{}}
			cut := gamespy2.Response{Players: empty, Teams: empty, Partial: true}
			return writeAnswer(w, Answer{Message: cut, View: cut.View(), Lacks: "packets", Attempts: 1},
				terminal.Screen{Width: 80})
		}, "lacks  packets\nrtt    0.000 ms, at attempt 1\n\nPLAYERS\nnot listed\n\nTEAMS\nnot listed\n"},
	} {
		var b strings.Builder
		if err := tt.write(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%q, want %q", &b, tt.want)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	for _, count := range []int{50, 5000} {
		rows := oddServers(count)
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for b.Loop() {
				if err := ScanLayout().write(io.Discard, rows, terminal.Screen{Width: 80}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
