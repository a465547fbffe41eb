//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

const systemdPath = "/lib/systemd/systemd"

// exitAtOnce is SIGRTMIN+24, at which systemd exits and leaves its services.
const exitAtOnce = syscall.Signal(58)

// asUser makes systemd run as the manager of a user, with or without a manager of the system:
// in its own control group, and with its own view of /run/systemd.
const asUser = `
for group in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
	if [ -w $group/cgroup.procs ]; then
		mkdir -p $group/lobbyd-test && echo $$ > $group/lobbyd-test/cgroup.procs || exit
	fi
done
mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system || exit
exec ` + systemdPath + ` --user --unit=lobbyd.service --log-target=console
`

// A userManager is a real systemd that runs lobbyd.
type userManager struct {
	running
	*exec.Cmd
	ended chan struct{} // closed when systemd has ended
	said  string        // the path of its output
}

// newUserManager starts lobbyd with the units of this directory through systemd. It skips the
// test where systemd does not run.
func newUserManager(t *testing.T, args ...string) *userManager {
	t.Helper()
	suite.Program(t, systemdPath)
	if os.Getuid() != 0 {
		t.Skip("only root can give systemd a control group and a mount of its own")
	}
	dir := t.TempDir()
	m := &userManager{
		running: running{addr: make(map[string]string)},
		ended:   make(chan struct{}),
		said:    filepath.Join(dir, "out"),
	}
	m.writeUnits(t, filepath.Join(dir, "config", "systemd", "user"), args)
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(m.said)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	m.Cmd = exec.Command("unshare", "--mount", "bash", "-c", asUser)
	m.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"),
		"XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "HOME="+dir)
	m.Stdout, m.Stderr = out, out
	if err := m.Start(); err != nil {
		t.Skip("systemd does not start: ", err)
	}
	go func() {
		m.Wait()
		close(m.ended)
	}()
	t.Cleanup(func() { m.end(t) })
	m.awaitSocket(t)
	return m
}

// awaitSocket waits until systemd accepts connections for lobbyd. It skips the test if
// systemd ends, which it does where it lacks rights.
func (m *userManager) awaitSocket(t *testing.T) {
	t.Helper()
	eventually(t, func() string {
		select {
		case <-m.ended:
			t.Skip("systemd does not run here: ", read(t, m.said))
		default:
		}
		c, err := net.Dial("tcp", m.addr["warzone"])
		if err != nil {
			return err.Error()
		}
		c.Close()
		return ""
	})
}

// end ends systemd and lobbyd.
func (m *userManager) end(t *testing.T) {
	pids := m.pids()
	m.Process.Signal(exitAtOnce)
	<-m.ended
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	if t.Failed() {
		t.Log(read(t, m.said))
	}
}

// keptLines are the lines of lobbyd.service that decide how it restarts and what is kept. The
// others need a manager of the system.
var keptLines = []string{"Type", "NotifyAccess", "Restart", "RestartSec", "FileDescriptorStoreMax", "Environment",
	"LimitNOFILE"}

// writeUnits writes units for this program and free ports.
func (m *userManager) writeUnits(t *testing.T, dir string, args []string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var service strings.Builder
	service.WriteString("[Unit]\nStartLimitIntervalSec=0\n[Service]\n")
	for _, name := range []string{"warzone", "web", "metrics"} {
		f, addr := opened(t, "tcp")
		f.Close() // systemd listens there
		m.addr[name] = addr
		fmt.Fprintf(&service, "Sockets=lobbyd-%s.socket\n", name)
		socket := fmt.Sprintf("[Socket]\nListenStream=%s\nBacklog=4096\nFileDescriptorName=%s\nService=lobbyd.service\n",
			addr, name)
		writeUnit(t, filepath.Join(dir, "lobbyd-"+name+".socket"), socket)
	}
	fmt.Fprintf(&service, "Environment=%s=1\nExecStart=%s %s\n", actVariable, os.Args[0], strings.Join(args, " "))
	for line := range strings.Lines(read(t, "systemd/lobbyd.service")) {
		key, _, _ := strings.Cut(line, "=")
		if slices.Contains(keptLines, key) {
			service.WriteString(line)
		}
	}
	writeUnit(t, filepath.Join(dir, "lobbyd.service"), service.String())
}

// pids returns the processes of lobbyd.
func (m *userManager) pids() (all []int) {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", m.Process.Pid))
	for _, text := range strings.Fields(string(children)) {
		exe, _ := os.Readlink("/proc/" + text + "/exe")
		pid, err := strconv.Atoi(text)
		if err == nil && exe == os.Args[0] {
			all = append(all, pid)
		}
	}
	return all
}

// kill kills lobbyd, but not systemd.
func (m *userManager) kill(t *testing.T) {
	t.Helper()
	pids := m.pids()
	if len(pids) != 1 {
		t.Fatalf("%d processes of lobbyd", len(pids))
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// restart is `systemctl restart`, in the mount of systemd.
func (m *userManager) restart(t *testing.T) {
	t.Helper()
	c := exec.Command("nsenter", "--mount", "--target", strconv.Itoa(m.Process.Pid),
		"systemctl", "--user", "restart", "lobbyd.service")
	c.Env = m.Env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatal(errors.Join(err, errors.New(string(out))))
	}
}

// Hosts stay connected and listed while a real systemd starts lobbyd again: after a crash, and
// with `systemctl restart`. Messages that they send meanwhile are answered.
func TestConnectionsSurviveWithSystemd(t *testing.T) {
	dir := t.TempDir()
	m := newUserManager(t, append(anywhere(), "-config", writeCrowdConfig(t, dir),
		"-data", filepath.Join(dir, "data"))...)
	const n = 500
	hosts := newCrowd(t, m.addr["warzone"], n)
	m.wantKept(t, n)
	m.wantNamed(t, n, "first")
	for _, how := range []struct {
		name  string
		again func(t *testing.T)
	}{{"killed", m.kill}, {"restarted", m.restart}, {"killed-again", m.kill}} {
		<-time.After(2 * time.Second) // changes of the last second may be lost
		began := time.Now()
		how.again(t)
		hosts.update(t, how.name)
		hosts.wantStatuses(t)
		t.Logf("%s: all of %d hosts answered after %v", how.name, n, time.Since(began))
		m.wantNamed(t, n, how.name)
		m.wantKept(t, n)
	}
	hosts[0].Close()
	m.wantKept(t, n-1)
}
