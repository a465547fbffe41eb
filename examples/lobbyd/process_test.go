//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is a lobbyd in a separate process.
type process struct {
	*exec.Cmd
	stderr  io.Closer
	logs    *bufio.Scanner
	notices *net.UnixConn // receives the notifications to systemd
}

// spawn starts lobbyd with open sockets, by name.
func spawn(t *testing.T, sockets map[string]*os.File, args ...string) *process {
	t.Helper()
	at := filepath.Join(t.TempDir(), "notify")
	notices, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: at, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { notices.Close() })
	notices.SetReadDeadline(time.Now().Add(patience))

	p := &process{Cmd: exec.Command(os.Args[0], args...), notices: notices}
	var names []string
	for name, f := range sockets {
		names = append(names, name)
		p.ExtraFiles = append(p.ExtraFiles, f)
	}
	p.Env = append(os.Environ(), actVariable+"=1", "NOTIFY_SOCKET="+at)
	if len(names) > 0 {
		p.Env = append(p.Env, "LISTEN_FDS="+strconv.Itoa(len(names)), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	}
	logs, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stderr, p.logs = logs, bufio.NewScanner(logs)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// notified returns the next notification to systemd.
func (p *process) notified(t *testing.T) string {
	t.Helper()
	b := make([]byte, 4096)
	n, err := p.notices.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:n])
}

// A process that receives a signal to stop exits with 0, and notifies systemd of each step.
func TestSignalsAreNotifiedToSystemd(t *testing.T) {
	p := spawn(t, nil, anywhere()...)
	if got := p.notified(t); got != "READY=1" {
		t.Fatalf("notified %q", got)
	}
	p.Process.Signal(syscall.SIGHUP)
	if got := p.notified(t); !strings.HasPrefix(got, "RELOADING=1\nMONOTONIC_USEC=") {
		t.Errorf("notified %q", got)
	}
	if got := p.notified(t); got != "READY=1" {
		t.Errorf("notified %q", got)
	}
	p.Process.Signal(syscall.SIGTERM)
	if got := p.notified(t); got != "STOPPING=1" {
		t.Errorf("notified %q", got)
	}
	last := ""
	for p.logs.Scan() {
		var line record
		if err := json.Unmarshal(p.logs.Bytes(), &line); err != nil {
			t.Errorf("a line of the log is %q: %v", p.logs.Text(), err)
		}
		last, _ = line["msg"].(string)
	}
	if err := p.Wait(); err != nil || last != "stopped" {
		t.Errorf("%v, after %q", err, last)
	}
}

// The end of the reader of the log ends neither lobbyd nor its reloads.
func TestLobbydOutlivesTheReaderOfItsLog(t *testing.T) {
	p := spawn(t, nil, anywhere()...)
	if got := p.notified(t); got != "READY=1" {
		t.Fatalf("notified %q", got)
	}
	if err := p.stderr.Close(); err != nil {
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGHUP)
	for _, want := range []string{"RELOADING=1", "READY=1"} {
		if got := p.notified(t); !strings.HasPrefix(got, want) {
			t.Errorf("notified %q, want %q", got, want)
		}
	}
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// Pipes in place of all files of the data directory hinder neither the start nor the end.
func TestPipesHinderNoStart(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"gameagent.list", "gamespy2.list", "bomberman.list", "warzone.list", bansFile, historyFile,
	} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := spawn(t, nil, append(anywhere(), "-data", dir)...)
	if got := p.notified(t); got != "READY=1" {
		t.Fatalf("notified %q", got)
	}
	p.Process.Signal(syscall.SIGTERM)
	aside := 0
	for p.logs.Scan() {
		aside += strings.Count(p.logs.Text(), "is not a regular file")
	}
	if err := p.Wait(); err != nil || aside != 6 {
		t.Errorf("%v, %d files are set aside", err, aside)
	}
}

// opened returns an open socket and its address.
func opened(t *testing.T, network string) (*os.File, string) {
	t.Helper()
	var inner interface{ File() (*os.File, error) }
	addr := ""
	if network == "udp" {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer pc.Close()
		inner, addr = pc.(*net.UDPConn), pc.LocalAddr().String()
	} else {
		l, err := net.Listen(network,
			map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "s")}[network])
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false)
		}
		defer l.Close()
		inner, addr = l.(interface{ File() (*os.File, error) }), l.Addr().String()
	}
	f, err := inner.File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, addr
}

// Sockets that systemd has opened replace the configured ones of the same name, and
// stay open for systemd at the end.
func TestInheritedSocketsReplaceConfiguredOnes(t *testing.T) {
	l := &running{addr: make(map[string]string)}
	sockets := make(map[string]*os.File)
	for name, network := range map[string]string{"gameagent": "udp", "warzone": "tcp", "bomberman": "tcp", "web": "tcp",
		"admin": "unix"} {
		sockets[name], l.addr[name] = opened(t, network)
	}
	p := spawn(t, sockets, append(anywhere(), "-warzone", "off", "-web", "192.0.2.1:1")...)
	if got := p.notified(t); got != "READY=1" {
		t.Fatalf("notified %q", got)
	}
	l.wantGameAgent(t, register(t, l))
	host(t, l, "one")
	l.wantWarzone(t, "one")
	registerBomberman(t, l, "two")
	l.wantBomberman(t, "two")
	if got := l.get(t, "/readyz"); got != "ready\n" {
		t.Errorf("readyz says %q", got)
	}
	if code, said := admin(t, "-socket", l.addr["admin"], "ban", "-yes", "127.0.0.2"); code != exitOK {
		t.Errorf("%d, %s", code, said)
	}
	if connects(t, "127.0.0.2", l.addr["web"]) {
		t.Error("the ban does not hold for inherited sockets")
	}
	p.Process.Signal(syscall.SIGTERM)
	for p.logs.Scan() {
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(l.addr["admin"]); err != nil {
		t.Error(err)
	}
}

// A socket with an unknown name or of the wrong kind is an error. Its clients would
// otherwise wait forever.
func TestUnknownInheritedSocketsAreErrors(t *testing.T) {
	for _, tt := range []struct{ name, network, want string }{
		{"lobbyd.socket", "tcp", `inherited socket \"lobbyd.socket\": there is no such server`},
		{"gameagent", "tcp", "inherited socket gameagent: "},
		{"warzone", "udp", "inherited socket warzone: "},
	} {
		f, _ := opened(t, tt.network)
		p := spawn(t, map[string]*os.File{tt.name: f}, anywhere()...)
		last := ""
		for p.logs.Scan() {
			last = p.logs.Text()
		}
		if err := p.Wait(); err == nil || !strings.Contains(strconv.Quote(last), tt.want) {
			t.Errorf("%s over %s: %v, %s", tt.name, tt.network, err, last)
		}
	}
}
