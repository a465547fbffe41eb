package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/gameagent"
)

// rewrite changes a configuration file.
func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// connects reports whether a server keeps a connection from a loopback address open. The
// server must wait for the client to send first.
func connects(t *testing.T, from, to string) bool {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Skip(err) // not all systems have more than one loopback address
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
		return false
	}
	b, _ := io.ReadAll(c)
	return strings.Contains(string(b), "ok")
}

// metric returns the value of a metric in the format of Prometheus.
func (l *running) metric(t *testing.T, name string) string {
	t.Helper()
	for line := range strings.Lines(l.get(t, "/metrics")) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("no metric %s", name)
	return ""
}

func (l *running) get(t *testing.T, path string) string {
	t.Helper()
	at := "web"
	if path == "/metrics" {
		at = "metrics"
	}
	for {
		r, err := http.Get("http://" + l.addr[at] + path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != http.StatusTooManyRequests { // tests repeat requests without a pause
			return string(b)
		}
	}
}

// A reload adds and removes bans, for connections and for datagrams.
func TestReloadChangesBans(t *testing.T) {
	const other = "127.0.0.2"
	name := file(t, "[bans]\nprefixes = ['"+other+"']")
	l := start(t, append(anywhere(), "-config", name)...)
	web := l.addr["web"]
	if connects(t, other, web) || !connects(t, "127.0.0.1", web) {
		t.Error("the ban of the file does not hold")
	}
	if got := l.metric(t, "lobbyd_banned_connections_total"); got != "1" {
		t.Errorf("%s connections were refused", got)
	}

	rewrite(t, name, "[bans]\nprefixes = [\n'198.51.100.0/33']")
	if line := l.reloads(t, "not reloaded"); !strings.Contains(line["error"].(string), ":3:1: ") {
		t.Errorf("%v", line)
	}
	if connects(t, other, web) {
		t.Error("a reload that failed has ended a ban")
	}
	l.asks(t, other, "127.0.0.1")
	if got := l.metric(t, "lobbyd_gameagent_requests_total"); got != "1" {
		t.Errorf("%s datagrams came, of which one is banned", got)
	}

	rewrite(t, name, "")
	l.reloads(t, "reloaded")
	if !connects(t, other, web) {
		t.Error("the ban holds after it has ended")
	}
	l.asks(t, other)
	if got := l.metric(t, "lobbyd_gameagent_requests_total"); got != "2" {
		t.Errorf("%s datagrams came", got)
	}
}

// Concurrent bans all take effect.
func TestConcurrentBansTakeEffect(t *testing.T) {
	t.Parallel()
	for range 200 {
		d := newLobbyd(defaults(), io.Discard)
		var all sync.WaitGroup
		for i := range 8 {
			p := prefix(t, fmt.Sprintf("192.0.2.%d", i))
			all.Go(func() {
				if _, err := d.rules.given.Merge(ban.Record{Kind: ban.KindPrefix, Value: p.String(), At: time.Now()}); err != nil {
					t.Error(err)
				}
				d.rules.enforce()
			})
		}
		all.Wait()
		for _, p := range d.rules.all().Prefixes {
			if !d.rules.gate.Banned(p.Addr()) {
				t.Fatalf("%v comes through", p)
			}
		}
	}
}

// A reload during the start does not notify systemd that the process is ready.
func TestReloadAtTheStartIsNotReady(t *testing.T) {
	at, err := net.ListenUnixgram("unixgram",
		&net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	t.Setenv("NOTIFY_SOCKET", at.LocalAddr().String())
	d := newLobbyd(defaults(), io.Discard)
	if err := d.reload(); err == nil {
		t.Error("reloaded")
	}
	notify(d.log, "STATUS=nothing before this")
	notice := make([]byte, 100)
	n, err := at.Read(notice)
	if err != nil || string(notice[:n]) != "STATUS=nothing before this" {
		t.Errorf("systemd receives %q, %v", notice[:n], err)
	}
}

// asks requests the list of the GameAgent master from loopback addresses. The last
// request must be answered.
func (l *running) asks(t *testing.T, from ...string) {
	t.Helper()
	request, err := gameagent.ListRequest{}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var last net.Conn
	for _, addr := range from {
		d := net.Dialer{LocalAddr: &net.UDPAddr{IP: net.ParseIP(addr)}}
		c, err := d.Dial("udp", l.addr["gameagent"])
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write(request); err != nil {
			t.Fatal(err)
		}
		last = c
	}
	if _, err := last.Read(make([]byte, 1500)); err != nil {
		t.Fatal(err)
	}
}

// A reload changes the MOTD. The log reports changes that need a restart.
func TestReloadChangesTheMOTD(t *testing.T) {
	name := file(t, "")
	l := start(t, append(anywhere(), "-config", name)...)
	l.reloads(t, "reloaded")
	rewrite(t, name, "grace = '5s'")
	l.reloads(t, "some of what has changed takes effect at a restart")
	l.logged(t, "reloaded")
	rewrite(t, name, "grace = '10s'\n[warzone]\nmotd = 'Maintenance at six'")
	l.reloads(t, "reloaded")
	host(t, l, "one")
	if got := l.wantWarzone(t, "one"); got.Status == nil || got.Status.Text != "Maintenance at six" {
		t.Errorf("greets with %+v", got.Status)
	}
	rewrite(t, name, "log = 'error'\n[warzone]\nmax-games = -1")
	l.reloads(t, "not reloaded")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if line := l.reloads(t, "not reloaded"); !strings.Contains(line["error"].(string), "no such file") {
		t.Errorf("%v", line)
	}
}
