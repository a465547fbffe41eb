package safety_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A server or master needs a fixed amount of memory for its limits, whatever the number of
// sources; the documentation of its package says how much. The test measures a server that
// has answered requests and has no state.
func TestMemoryOfLimitsIsFixed(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kib      int
		make     func() server
		requests []string
	}{
		{"sqpnet.Server", 544, func() server { return new(sqpnet.Server) }, []string{"\x00\x00\x00\x00\x00"}},
		{"gamespy2net.Server", 944, func() server { return new(gamespy2net.Server) },
			[]string{"\xfe\xfd\x09abcd", "\xfe\xfd\x00abcd\xff\xff\xff"}},
		{"gamespy2net.Master", 800, func() server { return newGameSpyMaster(lobbywire.Rates{}) },
			[]string{"\x09\x00\x00\x00\x00gmtest\x00"}},
		{"gameagentnet.Server", 544, func() server { return new(gameagentnet.Server) }, []string{"\x02"}},
		{"gamespy1net.Server", 544, func() server { return new(gamespy1net.Server) }, []string{`\status\`}},
		{"gamespy1net.Master", 1302, func() server { return new(gamespy1net.Master) }, []string{"0\x01"}},
	} {
		before := suite.Heap()
		s := tt.make()
		for _, req := range tt.requests {
			s.Respond(firstAddr, []byte(req), nil)
		}
		got := (suite.Heap() - before + 512) / 1024
		must(t, s.Close())
		t.Logf("%s needs %d KiB", tt.name, got)
		if got > tt.kib || got < tt.kib*4/5 { // addresses of 32 bits take less
			t.Errorf("%s needs %d KiB, documented are %d", tt.name, got, tt.kib)
		}
	}
}
