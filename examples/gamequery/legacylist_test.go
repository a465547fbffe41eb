package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// legacyMaster runs a master that sends answer for each list request that proves the
// key of its game. It returns the address.
func legacyMaster(t *testing.T, game, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.SetDeadline(time.Now().Add(time.Minute))
			io.WriteString(conn, `\basic\\secure\ABCDEF`)
			buf := make([]byte, 1024)
			n, _ := conn.Read(buf)
			m, err := gamespy1.ParseListRequest(buf[:n])
			if err == nil && m.ListName == game && m.Validate == gamespy1.Validate("ABCDEF", gamespy1.SeriousSamKey) {
				io.WriteString(conn, answer)
			}
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return l.Addr().String()
}

// listOf returns a list of servers, as a master sends it.
func listOf(t *testing.T, servers []netip.AddrPort) string {
	t.Helper()
	list, err := gamespy1.ServerList{Servers: servers}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// crowd returns n servers at one address.
func crowd(n int) (servers []netip.AddrPort) {
	for i := range n {
		servers = append(servers, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.9"), uint16(40_000+i)))
	}
	return servers
}

// A legacy master lists query ports, which are one above the game ports.
func TestLegacyListNamesQueryPorts(t *testing.T) {
	const servers = "\x0a\x00\x00\x01\x64\x01\x0a\x00\x00\x02\x64\x65"
	whole := legacyMaster(t, "serioussamse", servers+`\final\`)
	cut := legacyMaster(t, "serioussamse", servers)
	half := legacyMaster(t, "serioussamse", "\x0a\x00")
	closed := nettest.ClosedTCP(t)
	for _, tt := range []struct {
		args     string
		code     int
		out, err string // err begins standard error
	}{
		{"-legacy serioussamse " + half, 1, "", "gamequery: " + half + ": it answered, but the answer cannot be read: " +
			"truncated: unexpected EOF\ncheck that it is a master of gameagent\n"},
		{"-legacy serioussamse " + whole, 0, lines("10.0.0.1:25600", "10.0.0.2:25700"), ""},
		{"-legacy serioussamse -queries " + whole, 0, lines("10.0.0.1:25601", "10.0.0.2:25701"), ""},
		{
			"-legacy serioussamse -json " + whole, 0,
			lines(
				`{"schema":1,"protocol":"gameagent","address":"10.0.0.1:25600","query":"10.0.0.1:25601","host":"10.0.0.1","port":25600}`,
				`{"schema":1,"protocol":"gameagent","address":"10.0.0.2:25700","query":"10.0.0.2:25701","host":"10.0.0.2","port":25700}`,
			), "",
		},
		{"-legacy serioussamse " + cut, 1, lines("10.0.0.1:25600", "10.0.0.2:25700"),
			"gamequery: " + cut + ": the list is not whole: servers may be missing\n"},
		{"-legacy othergame " + whole, 1, "", "gamequery: " + whole +
			": lobbywire: the master closed the connection without a list: it probably does not know the game \"othergame\""},
		{"-legacy serioussamse " + closed, 1, "", "gamequery: dial tcp " + closed + ": "},
	} {
		code, stdout, stderr := gamequery(nil, append([]string{"list", patient, "gameagent"}, strings.Fields(tt.args)...)...)
		if code != tt.code || stdout != tt.out || !strings.HasPrefix(stderr, tt.err) || (tt.err == "") != (stderr == "") {
			t.Errorf("%s: exit code %d, %q, %q", tt.args, code, stdout, stderr)
		}
	}
}

// The servers of a legacy list are queried at the listed addresses.
func TestLegacyServersAreBrowsed(t *testing.T) {
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-name", "Listed")
	defer stop()
	list := listOf(t, []netip.AddrPort{netip.MustParseAddrPort(addr)})
	master := legacyMaster(t, "serioussamse", list)
	code, stdout, stderr := gamequery(nil, "browse", patient, "gameagent", "-legacy", "serioussamse", "-ask", "legacy",
		master)
	if code != exitOK || !strings.Contains(stdout, " "+queryPort(addr)+" ") || !strings.HasSuffix(stdout, "Listed\n") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// A master accepts servers of both forms, and sends its list over TCP.
func TestMasterListsBothForms(t *testing.T) {
	at := programtest.UnusedAddr(t) // unused by UDP too, or the test fails at once
	master, stopMaster := background(t, "master", "gameagent", "-game", "ut", "-key", "made-up", at, at)
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-register", master, "-name", "Listed")
	for _, tt := range []struct{ flags, want string }{
		{"-legacy serioussamse", addr + "\n"},
		{"-legacy ut -key made-up", ""},
	} {
		args := append([]string{"list", "gameagent", "-queries", master}, strings.Fields(tt.flags)...)
		eventually(t, func(_ int, stdout, _ string) bool { return stdout == tt.want }, args...)
	}
	if code, _, stderr := gamequery(nil, "list", "gameagent", "-legacy", "other", master); code != exitFailed {
		t.Errorf("unknown game: exit code %d, %q", code, stderr)
	}
	code, stdout, stderr := gamequery(nil, "browse", patient, "gameagent", "-legacy", "serioussamse", "-ask", "legacy",
		master)
	if code != exitOK || !strings.Contains(stdout, " "+queryPort(addr)+" ") || !strings.HasSuffix(stdout, "Listed\n") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	for _, stop := range []func() (int, string){stop, stopMaster} {
		if code, output := stop(); code != exitOK || strings.Contains(output, "never") {
			t.Errorf("exit code %d, %s", code, output)
		}
	}
}

// If a list contains addresses of no server, ports of other services and a crowd at one
// address, browse queries only a part and says so; list prints it whole.
func TestBrowseSparesOthersOnHostileLists(t *testing.T) {
	t.Parallel() // as in TestScanPrintsServers
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-name", "Listed")
	defer stop()
	servers := []netip.AddrPort{netip.MustParseAddrPort(addr)}
	for _, s := range []string{
		"224.0.0.1:29900", "127.255.255.255:29900", "127.0.0.1:53", "127.0.0.1:1900", "127.0.0.1:11211",
	} {
		servers = append(servers, netip.MustParseAddrPort(s))
	}
	servers = append(servers, crowd(200)...)
	master := legacyMaster(t, "serioussamse", listOf(t, servers))
	const left = "not queried: 2 (no address of a server), 3 (port of another service), " +
		"136 (more than 64 servers of its address)"
	inTime(t, func(timeout string) []string {
		code, stdout, stderr := gamequery(nil, "browse", "gameagent", "-legacy", "serioussamse", "-ask", "legacy",
			"-timeout", timeout, "-attempts", "1", "-json", "-filter", `name == "Listed"`, master)
		if code != exitOK || !strings.Contains(stdout, `"name":"Listed"`) ||
			!strings.Contains(stderr, ", "+left+", shown 1, in ") ||
			!strings.Contains(stdout, `"error":{"code":"skipped","message":"`+left+
				`","leftOut":{"address":2,"service":3,"crowd":136}}}`) {
			return []string{fmt.Sprintf("exit code %d, %s%s", code, stdout, stderr)}
		}
		return nil
	})
	code, stdout, stderr := gamequery(nil, "list", patient, "gameagent", "-legacy", "serioussamse", "-queries", master)
	if code != exitOK || strings.Count(stdout, "\n") != 65 || stderr != left+"\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = gamequery(nil, "list", patient, "gameagent", "-legacy", "serioussamse", master)
	if code != exitOK || strings.Count(stdout, "\n") != len(servers) || stderr != "" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// The servers of one address are chosen at a pace. Who interrupts that gets an error, no part.
func TestInterruptedListOfQueriesIsAnError(t *testing.T) {
	t.Parallel()
	master := legacyMaster(t, "serioussamse", listOf(t, crowd(64)))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var out strings.Builder
	err := executeIn(ctx, tap.Sockets{},
		[]string{"list", patient, "gameagent", "-legacy", "serioussamse", "-queries", master}, &out)
	if err == nil || strings.Contains(out.String(), "127.0.0.9") {
		t.Errorf("%v\n%s", err, &out)
	}
}
