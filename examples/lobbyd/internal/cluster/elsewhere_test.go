package cluster

import (
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Nodes share by a NATS that runs elsewhere, and put all they have into one that
// was started anew, whose memory is empty.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	var nats *server.Server
	port := server.RANDOM_PORT
	start := func() {
		s, err := server.NewServer(&server.Options{
			Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("NATS does not start")
		}
		nats = s
	}
	stop := func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	}
	start()
	t.Cleanup(func() { stop() })
	port = nats.Addr().(*net.TCPAddr).Port

	at := append(places(t, 1, time.Minute), places(t, 1, time.Minute)...)
	for i, p := range at {
		p.options.Name, p.options.URL = []string{"north", "south"}[i], nats.ClientURL()
	}
	nodes := runAll(t, at)
	nodes[0].open(t, "192.0.2.1:2100")
	nodes[1].enlist(t, "192.0.2.2:25600")
	all := []string{"warzone 192.0.2.1:2100", "gameagent 192.0.2.2:25600"}
	expect(t, 5*time.Second, nodes, all...)

	stop()
	for _, n := range nodes {
		until(t, 20*time.Second, "cut off", func() bool { return !n.State().Connected })
	}
	nodes[0].open(t, "192.0.2.3:2100")
	expect(t, time.Second, nodes[1:], all...)
	start()
	expect(t, 30*time.Second, nodes, append(all, "warzone 192.0.2.3:2100")...)
	for _, n := range nodes {
		until(t, 20*time.Second, "back", func() bool { s := n.State(); return s.Connected && s.Entries == 3 })
	}
}
