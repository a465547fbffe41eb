package cluster

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// asChild is an environment variable. If it is set, the test binary runs as a node that
// can be killed. The value contains its name, cluster address and peers.
const asChild = "LOBBYD_CLUSTER_CHILD"

func TestMain(m *testing.M) {
	if options, ok := os.LookupEnv(asChild); ok {
		child(strings.Fields(options))
		return
	}
	suite.Waits()
	m.Run()
}

// child runs a node with one game until the end of its input.
func child(options []string) {
	c, err := Open(context.Background(), Options{
		Name: options[0], Cluster: options[1], Peers: options[2:], Secret: "loopback", TTL: shortTTL,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := warzonegames.Entry{
		ID: 1, Key: netip.MustParseAddrPort("192.0.2.1:2100"), Game: game("child"),
		Opened: time.Now(), Seen: time.Now(), Expires: time.Now().Add(time.Hour),
	}
	c.Warzone().Put(e)
	fmt.Println("up")
	io.Copy(io.Discard, os.Stdin)
}

// shortTTL is longer than the election of a leader among the other nodes.
const shortTTL = 20 * time.Second

// The entries of a killed node expire. The entries of the other nodes stay listed, even
// during an election.
func TestEntriesOfAKilledNodeExpire(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	at := places(t, 3, shortTTL)
	kill := startChild(t, at[0])
	nodes := runAll(t, at[1:])
	nodes[0].open(t, "192.0.2.2:2100")
	expect(t, soon, nodes, "warzone child", "warzone 192.0.2.2:2100")

	kill()
	took := until(t, 2*shortTTL, "gone", func() bool {
		gone := true
		for _, n := range nodes {
			list := n.listed()
			if !slices.Contains(list, "warzone 192.0.2.2:2100") {
				t.Fatalf("%s has lost what is still there: %q", n.Node(), list)
			}
			gone = gone && len(list) == 1
		}
		return gone
	})
	t.Logf("gone %v after its node was killed, with a TTL of %v", took, shortTTL)
	if took > shortTTL+shortTTL/2 {
		t.Error("that is late")
	}
}

// startChild starts a node in a separate process, and returns a function that kills it.
func startChild(t testing.TB, p *place) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	o := p.options
	tmp := cmp.Or(p.tmp, t.TempDir()) // the child cannot remove its directory
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s", asChild, o.Name, o.Cluster, strings.Join(o.Peers, " ")),
		"TMPDIR="+tmp, "TMP="+tmp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	t.Cleanup(func() {
		in.Close()
		kill()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "up\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return kill
}
