package gamespy1net_test

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Clients of GameSpy leave out the end mark of their requests. They get the list after a
// while, but not for a name that may be cut.
func TestRequestWithoutAnEndGetsTheList(t *testing.T) {
	const first = `\gamename\ut\enctype\0\validate\x\final\`
	for _, tt := range []struct {
		name  string
		parts []string // one each second, after the first
		list  bool
	}{
		{"one part", []string{first + `\list\cmp\gamename\ut`}, true},
		{"as text", []string{first + `\list\\gamename\ut`}, true},
		{"a backslash at the end", []string{first + `\list\cmp\gamename\ut\`}, true},
		{"two parts", []string{first, `\list\cmp\gamename\ut`}, true},
		{"two parts, as Unreal sends them", []string{first, "", `\list\\gamename\ut\final\`}, true},
		{"with a filter", []string{first + `\list\cmp\gamename\ut\where\numplayers > 0`}, true},
		{"the first part alone", []string{first}, false},
		{"a part of the name", []string{first + `\list\cmp\gamename\u`}, false},
		{"a part of a key", []string{first + `\list\cmp\gamename\ut\whe`}, false},
		{"without a game", []string{first + `\list\cmp`}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := serveGameSpy(t, &gamespy1net.Master{Games: map[string]gamespy1net.Game{"ut": {}}})
			conn, err := n.tcp.Dial(t.Context(), "tcp", listPort.String())
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			n.serving.Go(func() {
				for i, part := range tt.parts {
					if i > 0 {
						time.Sleep(time.Second)
					}
					io.WriteString(conn, part)
				}
			})
			b, err := io.ReadAll(conn)
			took := time.Since(start) - time.Duration(len(tt.parts)-1)*time.Second
			list := strings.HasSuffix(string(b), `\final\`)
			if err != nil || list != tt.list || tt.list && took > 2*time.Second {
				t.Errorf("%s: %q after %v, %v", tt.name, b, took, err)
			}
			conn.Close()
			n.close(t)
		})
	}
}
