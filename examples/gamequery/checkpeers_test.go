package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// servePeer runs a server of SQP of another project, with three players, and returns its
// address.
func servePeer(t *testing.T, name string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), suite.Program(t, "peers"), "serve", name)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // it is killed at the end of the test
	})
	state := struct {
		Name, Map              []byte
		NumPlayers, MaxPlayers int
		Metrics                []float32
	}{[]byte("Duel"), []byte("Harbor"), 3, 16, []float32{1, 2}}
	if err := json.NewEncoder(in).Encode(state); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// Servers of other projects pass all cases except the faults in CHECK.md, which are in
// their sources.
func TestPeersPassExceptDocumentedFaults(t *testing.T) {
	page, err := os.ReadFile("CHECK.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- peers -->")
	table, _, _ = strings.Cut(table, "<!-- end -->")
	for _, name := range []string{"go-svrquery", "unity-sdk"} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, row := range regexp.MustCompile(`(?m)^\| `+name+` .*`).FindAllString(table, -1) {
				want = append(want, regexp.MustCompile(`sqp/\d\.\d+`).FindAllString(row, -1)...)
			}
			slices.Sort(want)
			code, stdout, stderr := gamequery(nil, "check", "-json", "-robust", "-timeout=5s", "sqp", servePeer(t, name))
			var report struct {
				Cases []struct{ ID, Result, Why string }
			}
			if err := json.Unmarshal([]byte(stdout), &report); err != nil {
				t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
			}
			var failed []string
			for _, c := range report.Cases {
				if c.Result == "fail" {
					failed = append(failed, c.ID)
					t.Logf("%s: %s", c.ID, c.Why)
				}
			}
			slices.Sort(failed)
			if diff := cmp.Diff(want, failed); diff != "" {
				t.Errorf("not passed (-want +got):\n%s", diff)
			}
		})
	}
}
