package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The first server of README.md is listed.
func TestFirstServerIsListed(t *testing.T) {
	suite.Long(t, "the go command, to build gamequery")
	_, text, _ := strings.Cut(read(t, "README.md"), "<!-- first server -->\n```sh\n")
	command, _, _ := strings.Cut(text, "\n```\n<!-- end -->")
	args, found := strings.CutPrefix(command, "go -C examples run ./gamequery ")
	if !found {
		t.Fatalf("README.md has the command %q", command)
	}
	program := filepath.Join(t.TempDir(), "gamequery")
	if said, err := exec.Command("go", "build", "-o", program, "../gamequery").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	l := start(t, anywhere()...)
	args = strings.NewReplacer("127.0.0.1:9005", l.addr["gameagent"], "127.0.0.1:25601", "127.0.0.1:0",
		"'My first server'", "First").Replace(args)
	server := exec.Command(program, strings.Fields(args)...)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	eventually(t, func() string {
		if list := l.get(t, "/api/servers?q=first"); !strings.Contains(list, `"reach":"reachable"`) {
			return list
		}
		return ""
	})
}
