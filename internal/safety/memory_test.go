package safety_test

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// The documentation of each helper says how much memory a server or master needs for
// its limits, whatever the number of sources. What is measured is a server that has
// answered requests and has no state.
func TestMemoryOfLimits(t *testing.T) {
	for _, tt := range []struct {
		doc, what string
		make      func() server
		requests  []string
	}{
		{"../../sqp/sqpnet/doc.go", "Server",
			func() server { return new(sqpnet.Server) }, []string{"\x00\x00\x00\x00\x00"}},
		{"../../gamespy2/gamespy2net/doc.go", "Server", func() server { return new(gamespy2net.Server) },
			[]string{"\xfe\xfd\x09abcd", "\xfe\xfd\x00abcd\xff\xff\xff"}},
		{"../../gamespy2/gamespy2net/doc.go", "Master",
			func() server { return newGameSpyMaster(lobbywire.Rates{}) }, []string{"\x09\x00\x00\x00\x00gmtest\x00"}},
		{"../../gameagent/gameagentnet/doc.go", "Server",
			func() server { return new(gameagentnet.Server) }, []string{"\x02"}},
		{"../../gameagent/gameagentnet/doc.go", "Master",
			func() server { return new(gameagentnet.Master) }, []string{"0\x01"}},
	} {
		text, err := os.ReadFile(tt.doc)
		must(t, err)
		m := regexp.MustCompile(`A ` + tt.what + ` needs (\d+) KiB for its`).FindSubmatch(text)
		if m == nil {
			t.Errorf("%s does not say what a %s needs", tt.doc, tt.what)
			continue
		}
		want, err := strconv.Atoi(string(m[1]))
		must(t, err)
		before := heap()
		s := tt.make()
		for _, req := range tt.requests {
			s.Respond(firstAddr, []byte(req), nil)
		}
		got := (heap() - before + 512) / 1024
		must(t, s.Close())
		t.Logf("%s: %s needs %d KiB", tt.doc, tt.what, got)
		if got > want || got < want*4/5 { // addresses of 32 bits take less
			t.Errorf("%s: a %s needs %d KiB, documented are %d", tt.doc, tt.what, got, want)
		}
	}
}

// heap returns the memory that is in use, in bytes.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
