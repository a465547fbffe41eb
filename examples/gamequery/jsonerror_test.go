package main

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// talksNonsense starts a TCP server that sends bytes of no protocol.
func talksNonsense(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			// An error shows up on the client's side.
			_, _ = conn.Write([]byte("nonsense"))
			conn.Close()
		}
	}()
	return l.Addr().String()
}

// With -json, each failure is also printed as JSON.
func TestFailuresArePrintedAsJSON(t *testing.T) {
	t.Parallel()
	silent, stop := background(t, "serve", "gamespy2", "127.0.0.1:0", "-challenge", "off")
	defer stop()
	other, stopOther := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stopOther()
	closed := nettest.ClosedTCP(t)
	const quick = " -timeout=30ms -attempts=1"
	for _, tt := range []struct {
		args     string
		exit     int
		protocol string
		codes    string // of the lines
	}{
		{"query -json -bogus sqp", 2, "", "usage"},
		{"query -json quake 127.0.0.1:1", 2, "", "usage"},
		{"query -json sqp 127.0.0.1", 2, "sqp", "usage"},
		{"query -json bf2 127.0.0.1:x", 2, "gamespy2", "usage"},
		{"query -json sqp host..invalid:1", 1, "sqp", "name"},
		{"query -json sqp " + silent + quick, 1, "sqp", "timeout"},
		{"scan -json sqp", 2, "sqp", "usage"},
		{"scan -json sqp -sort nothing 127.0.0.1:1", 2, "sqp", "usage"},
		{"scan -json sqp 127.0.0.1:9-8", 2, "sqp", "usage"},
		{"scan -json sqp -from does-not-exist", 1, "sqp", "other"},
		{"scan -json sqp " + silent + quick, 1, "sqp", "timeout"},
		{"scan -json sqp -" + quick, 1, "sqp", "usage name timeout"},
		{"list -json sqp 127.0.0.1:1", 2, "sqp", "usage"},
		{"list -json gamespy2 127.0.0.1:1", 2, "gamespy2", "usage"},
		{"list -json warzone " + closed, 1, "warzone", "refused"},
		{"list -json wzhttp http://" + closed, 1, "wzhttp", "refused"},
		{"list -json bomberman host..invalid", 1, "bomberman", "name"},
		{"list -json gameagent " + silent + quick, 1, "gameagent", "timeout"},
		{"list -json bomberman " + talksNonsense(t) + " " + patient, 1, "bomberman", "invalid"},
		{"browse -json gameagent " + silent + quick, 1, "gameagent", "timeout"},
		{"browse -json warzone 127.0.0.1", 2, "warzone", "usage"},
		{"discover -json sqp", 2, "sqp", "usage"},
		{"discover -json gamespy2 " + other + quick, 1, "gamespy2", "timeout"},
		{"games -json a b", 2, "", "usage"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			exit, stdout, stderr := gamequery([]byte("127.0.0.1:x\nhost..invalid:1\n"+silent+"\n"), strings.Fields(tt.args)...)
			checkLines(t, stdout)
			var codes []string
			for dec := json.NewDecoder(strings.NewReader(stdout)); dec.More(); {
				var got struct {
					Protocol string
					Error    struct{ Code, Message string }
				}
				if err := dec.Decode(&got); err != nil {
					t.Fatal(err)
				}
				if got.Protocol != tt.protocol || got.Error.Message == "" {
					t.Errorf("protocol %q, error %+v", got.Protocol, got.Error)
				}
				codes = append(codes, got.Error.Code)
			}
			if got := strings.Join(codes, " "); exit != tt.exit || got != tt.codes || !strings.Contains(stderr, "gamequery: ") {
				t.Errorf("exit code %d, want %d; codes %q, want %q; %s", exit, tt.exit, got, tt.codes, stderr)
			}
		})
	}
}
