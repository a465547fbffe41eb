package cluster

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// Values that other programs write to the bucket are ignored.
func TestInvalid(t *testing.T) {
	for _, value := range []string{"", "\n", "node0 run", "node0\n{}", "a.b run\n{}", strings.Repeat("a", 65) +
		" run\n"} {
		if by, _, ok := parse([]byte(value)); ok {
			t.Errorf("%q is of %+v", value, by)
		}
	}
	w := writer{"node0", "run"}
	if by, body, ok := parse(w.sign([]byte("a\nb"))); by != w || string(body) != "a\nb" || !ok {
		t.Errorf("got %+v, %q, %v", by, body, ok)
	}
}

// A node that is cut off sets Seen to the current time.
func TestSeenWhileCutOff(t *testing.T) {
	s := &shared[gameagentnet.Entry, netip.AddrPort]{entries.GameAgent(), new(Cluster)}
	e := gameagentnet.Entry{Game: netip.MustParseAddrPort("192.0.2.1:25600"), Seen: noon}
	later := noon.Add(time.Hour)
	if got, ok := s.decode(s.ID(e.Game), s.Encode(e), later); !ok || !got.Seen.Equal(later) {
		t.Errorf("%+v, %v", got, ok)
	}
}
