//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A holder starts lobbyd as systemd does, and keeps the connections that it is given.
type holder struct {
	running
	socket string
	args   []string
	log    *os.File
	ready  chan struct{}
	now    *exec.Cmd

	mu   sync.Mutex
	kept map[string]*os.File
}

// lobbySockets are the sockets of a lobbyd whose only games are from Warzone hosts up to 4.6.
func lobbySockets() map[string]string {
	return map[string]string{"warzone": "tcp", "web": "tcp", "metrics": "tcp"}
}

// newHolder starts lobbyd with sockets for some servers. sockets maps their names to
// networks.
func newHolder(t *testing.T, sockets map[string]string, args ...string) *holder {
	t.Helper()
	h := &holder{
		running: running{addr: make(map[string]string)},
		socket:  filepath.Join(t.TempDir(), "notify"),
		args:    args,
		ready:   make(chan struct{}, 1),
		kept:    make(map[string]*os.File),
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	h.log = log
	notices, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: h.socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { notices.Close() })
	for name, network := range sockets {
		h.kept[name], h.addr[name] = opened(t, network)
	}
	go h.listen(notices)
	h.start(t)
	return h
}

// listen handles the notifications of lobbyd.
func (h *holder) listen(notices *net.UnixConn) {
	b, oob := make([]byte, 4096), make([]byte, unix.CmsgSpace(4))
	for {
		n, rights, _, _, err := notices.ReadMsgUnix(b, oob)
		if err != nil {
			return
		}
		h.handle(string(b[:n]), oob[:rights])
	}
}

func (h *holder) handle(text string, rights []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, name, _ := strings.Cut(text, "FDNAME=")
	switch {
	case text == "READY=1":
		h.ready <- struct{}{}
	case strings.HasPrefix(text, "FDSTORE=1\n"):
		messages, _ := unix.ParseSocketControlMessage(rights)
		fds, _ := unix.ParseUnixRights(&messages[0])
		unix.CloseOnExec(fds[0])
		h.kept[name] = os.NewFile(uintptr(fds[0]), name)
	case strings.HasPrefix(text, "FDSTOREREMOVE=1\n"):
		if f := h.kept[name]; f != nil {
			f.Close()
		}
		delete(h.kept, name)
	}
}

// start starts lobbyd with all kept connections, and returns when it is ready.
func (h *holder) start(t *testing.T) {
	t.Helper()
	h.now = exec.Command(os.Args[0], h.args...)
	var names []string
	h.mu.Lock()
	for name, f := range h.kept {
		names = append(names, name)
		h.now.ExtraFiles = append(h.now.ExtraFiles, f)
	}
	h.now.Env = append(os.Environ(), actVariable+"=1", "NOTIFY_SOCKET="+h.socket, "FDSTORE=2000",
		"LISTEN_FDS="+strconv.Itoa(len(names)), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	h.now.Stderr = h.log
	err := h.now.Start()
	h.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.now.Process.Kill() })
	select {
	case <-h.ready:
	case <-time.After(patience):
		t.Fatal("lobbyd is not ready")
	}
}

// end ends lobbyd with a signal.
func (h *holder) end(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := h.now.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	h.now.Wait()
}

// wantHeld waits until n connections are kept.
func (h *holder) wantHeld(t *testing.T, n int) {
	t.Helper()
	h.wantKept(t, n)
	eventually(t, func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		if held := len(h.kept) - len(h.addr); held != n {
			return strconv.Itoa(held) + " connections are held, want " + strconv.Itoa(n)
		}
		return ""
	})
}

// wantLogged checks that all processes together have logged a text.
func (h *holder) wantLogged(t *testing.T, text string) {
	t.Helper()
	if log, err := os.ReadFile(h.log.Name()); err != nil || !strings.Contains(string(log), text) {
		t.Errorf("%q is not in the log, %v: %s", text, err, log)
	}
}

// Hosts stay connected and listed while lobbyd is killed, or stopped, and started again.
// Messages that they send meanwhile are answered, and hosts that leave meanwhile are
// unlisted.
func TestConnectionsSurviveRestarts(t *testing.T) {
	t.Parallel()
	config := writeCrowdConfig(t, t.TempDir())
	h := newHolder(t, lobbySockets(), append(anywhere(), "-config", config, "-data", t.TempDir())...)
	n := suite.Pick(100, 1000)
	hosts := newCrowd(t, h.addr["warzone"], n)
	h.wantHeld(t, n)
	h.wantNamed(t, n, "first")
	<-time.After(2 * time.Second) // changes of the last second may be lost

	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL}
	for _, signal := range signals[:suite.Pick(1, 3)] {
		began := time.Now()
		h.end(t, signal)
		ended := time.Since(began)
		hosts.update(t, signal.String())
		h.start(t)
		hosts.wantStatuses(t)
		t.Logf("%v: ended after %v, all of %d hosts answered after %v", signal, ended, len(hosts), time.Since(began))
		h.wantNamed(t, len(hosts), signal.String())
		h.wantHeld(t, len(hosts))
		h.wantLogged(t, fmt.Sprintf(`"hosts":%d,"lost":0`, n))
		<-time.After(2 * time.Second)
	}

	for _, c := range hosts[:10] {
		c.Close()
	}
	h.wantHeld(t, n-10)
	h.end(t, syscall.SIGKILL)
	for _, c := range hosts[10:20] {
		c.Close()
	}
	h.start(t)
	h.wantHeld(t, n-20)
	if got := h.metric(t, "lobbyd_unkept_connections"); got != "0" {
		t.Errorf("%s connections are not kept", got)
	}
}

// A host whose address is banned while lobbyd is stopped loses its connection and its game,
// although its connection was kept. Others continue.
func TestBannedHostsAreNotContinued(t *testing.T) {
	t.Parallel()
	config := writeCrowdConfig(t, t.TempDir())
	h := newHolder(t, lobbySockets(), append(anywhere(), "-config", config, "-data", t.TempDir())...)
	hosts := newCrowdFrom(t, "127.0.0.1", h.addr["warzone"], 1)
	banned := newCrowdFrom(t, "127.0.0.2", h.addr["warzone"], 1)
	h.wantHeld(t, 2)
	h.wantNamed(t, 2, "first")
	<-time.After(2 * time.Second) // changes of the last second may be lost

	h.end(t, syscall.SIGKILL)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, config, string(text)+"[bans]\nprefixes = ['127.0.0.2']\n")
	h.start(t)
	h.wantHeld(t, 1)
	hosts.update(t, "second")
	hosts.wantStatuses(t)
	h.wantNamed(t, 1, "second")
	if n, err := banned[0].Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the banned host reads %d bytes, %v", n, err)
	}
}

// lobbyd starts whatever systemd's store contains, under whatever names. Connections that belong to
// no host end and leave the store, so they take no place in it.
func TestGarbledConnectionsHinderNoStart(t *testing.T) {
	t.Setenv("FDSTORE", "10")
	sockets, peers := map[string]*os.File{}, map[string]net.Conn{}
	for _, name := range []string{
		"warzone/1", "warzone/1+", "warzone/zzzzzzzz", "warzone/-1", "warzone/", "/", "/1", "nosuch/1",
		"a/b/c", "warzone/1/2",
		"+", "++++", "stored", "unknown", "WARZONE/1", "warzone/" + strings.Repeat("1", 200),
	} {
		sockets[name], peers[name] = openedConn(t)
	}
	reset, peer := openedConn(t)
	peer.(*net.TCPConn).SetLinger(0)
	peer.Close()
	sockets["warzone/2"] = reset
	sockets["warzone/3"], _ = opened(t, "udp")
	sockets["warzone/4"], _ = opened(t, "tcp")
	sockets["warzone/5"], _ = opened(t, "unix")
	pipe, other, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	sockets["warzone/6"] = pipe
	p := spawn(t, sockets, anywhere()...)
	left := map[string]bool{}
	for name := range peers {
		left[name] = true
	}
	ready := false
	for !ready || len(left) > 0 {
		text := p.notified(t)
		ready = ready || text == "READY=1"
		name, removed := strings.CutPrefix(text, "FDSTOREREMOVE=1\nFDNAME=")
		if removed && left[name] {
			sockets[name].Close()
			delete(left, name)
		}
	}
	for name, peer := range peers {
		peer.SetReadDeadline(time.Now().Add(patience))
		if n, err := peer.Read(make([]byte, 1)); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	p.Process.Signal(syscall.SIGTERM)
	for p.logs.Scan() {
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// openedConn returns an open connection and its peer.
func openedConn(t *testing.T) (*os.File, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	peer, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f, err := c.(*net.TCPConn).File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, peer
}
