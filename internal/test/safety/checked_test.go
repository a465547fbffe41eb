package safety_test

import (
	"context"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A checkedMaster answers a legacy heartbeat with everything that it sends to the server:
// the challenge and its queries, which nobody answers.
type checkedMaster struct {
	*gamespy1net.Master

	mu   sync.Mutex
	sent [][]byte
}

// checkedGames have keys, so the master sends challenges. The second one has the
// shortest name of the golden files.
var checkedGames = map[string]gamespy1net.Game{"serioussamse": {Key: "key"}, "ut": {Key: "key"}}

func newCheckedMaster(t testing.TB) server {
	m := &checkedMaster{Master: &gamespy1net.Master{Games: checkedGames}}
	m.Limits.Rates = unlimited
	m.Dial = func(context.Context, string, string) (net.Conn, error) { return unanswered{m: m}, nil }
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { m.Check(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return m
}

func (m *checkedMaster) Respond(from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
	before := m.Stats().Checks
	answers, ok := m.Master.Respond(from, req, nil)
	dst = append(dst, answers...)
	for m.Stats().Checks == before {
		runtime.Gosched()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	dst = append(dst, m.sent...)
	m.sent = nil
	return dst, ok
}

// unanswered is a connection on which no answer arrives.
type unanswered struct {
	net.Conn
	m *checkedMaster
}

func (c unanswered) Write(b []byte) (int, error) {
	c.m.mu.Lock()
	defer c.m.mu.Unlock()
	c.m.sent = append(c.m.sent, b)
	return len(b), nil
}

func (unanswered) Read([]byte) (int, error)        { return 0, os.ErrDeadlineExceeded }
func (unanswered) SetReadDeadline(time.Time) error { return nil }
func (unanswered) RemoteAddr() net.Addr            { return nil }
func (unanswered) Close() error                    { return nil }

// isLegacyHeartbeat reports whether a master queries the server that sends req.
func isLegacyHeartbeat(req []byte) bool {
	h, err := gamespy1.ParseHeartbeat(req)
	_, known := checkedGames[h.GameName]
	return err == nil && known && h.QueryPort != 1 && !h.ShuttingDown
}
