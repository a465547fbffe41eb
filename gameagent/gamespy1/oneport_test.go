package gamespy1_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// At a port that receives both protocols, no message of one is read as a message of the other
// if package gameagent is asked first.
func TestOnePortTellsBothProtocolsApart(t *testing.T) {
	files, err := golden.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Header["Direction"], "to master") {
			continue
		}
		if m := gamespy1.PeekToMaster(f.Data); m != nil {
			t.Errorf("%s of GameAgent is %T", f.Name, m)
		}
	}
	for _, f := range golden.Load(t) {
		switch _, receiver, _ := strings.Cut(f.Header["Direction"], " to "); receiver {
		case "master":
			if m := gameagent.PeekToMaster(f.Data); m != nil {
				t.Errorf("%s is %T", f.Name, m)
			}
		case "server":
			if gameagent.IsToServer(f.Data) {
				t.Errorf("%s is of GameAgent", f.Name)
			}
		case "client":
			if gameagent.IsFromServer(f.Data) {
				t.Errorf("%s is of GameAgent", f.Name)
			}
		}
	}
}
