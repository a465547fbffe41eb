package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// startNATS starts a NATS server on 127.0.0.1.
func startNATS(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoSigs, o.NoLog, o.JetStream, o.StoreDir = "127.0.0.1", true, true, true, t.TempDir()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	return s
}

// aroundNATS returns places of nodes that share their lists through a NATS server.
func aroundNATS(t *testing.T, ttl time.Duration, names ...string) []*place {
	t.Helper()
	nats := startNATS(t, &server.Options{Port: server.RANDOM_PORT})
	t.Cleanup(func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	})
	all := places(t, len(names), ttl)
	for i, p := range all {
		p.options.Name, p.options.URL, p.options.Cluster, p.options.Peers = names[i], nats.ClientURL(), "", nil
	}
	return all
}

// Nodes share their lists through an external NATS server. If it restarts with empty
// memory, they write all of their entries again.
func TestEntriesSurviveExternalRestart(t *testing.T) {
	t.Parallel()
	var nats *server.Server
	port := server.RANDOM_PORT
	start := func() { nats = startNATS(t, &server.Options{Port: port}) }
	stop := func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	}
	start()
	t.Cleanup(func() { stop() })
	port = nats.Addr().(*net.TCPAddr).Port

	at := append(places(t, 1, lasting), places(t, 1, lasting)...)
	for i, p := range at {
		p.options.Name, p.options.URL = []string{"north", "south"}[i], nats.ClientURL()
	}
	nodes := runAll(t, at)
	nodes[0].open(t, "192.0.2.1:2100")
	nodes[1].enlist(t, "192.0.2.2:25600")
	all := []string{"warzone 192.0.2.1:2100", "gameagent 192.0.2.2:25600"}
	expect(t, soon, nodes, all...)

	stop()
	for _, n := range nodes {
		until(t, soon, "cut off", func() bool { return !n.State().Connected })
	}
	nodes[0].open(t, "192.0.2.3:2100")
	expect(t, soon, nodes[1:], all...)
	start()
	expect(t, 30*time.Second, nodes, append(all, "warzone 192.0.2.3:2100")...)
	for _, n := range nodes {
		until(t, soon, "back", func() bool { s := n.State(); return s.Connected && s.Entries == 3 })
	}
}

// A node logs why it is alone, and joins without a restart when the problem is fixed.
func TestNodeLogsAWrongPassword(t *testing.T) {
	t.Parallel()
	o := &server.Options{Port: server.RANDOM_PORT, Username: "lobbyd", Password: "of yesterday"}
	nats := startNATS(t, o)
	t.Cleanup(func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	})
	logged := make(chan string, 100)
	p := places(t, 1, lasting)[0]
	p.options.URL = "nats://lobbyd:today@" + nats.Addr().String()
	p.options.Logger = slog.New(slog.NewTextHandler(lines(logged), &slog.HandlerOptions{Level: slog.LevelWarn}))
	n := p.run(t)
	select {
	case line := <-logged:
		if !strings.Contains(line, "Authorization Violation") {
			t.Errorf("it says %s", line)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not say why")
	}
	now := o.Clone()
	now.Port, now.Password = nats.Addr().(*net.TCPAddr).Port, "today"
	if err := nats.ReloadOptions(now); err != nil {
		t.Fatal(err)
	}
	until(t, soon, "connected", func() bool { return n.State().Connected })
}

// A node logs at once that no NATS server answers, and at which address.
func TestNodeLogsThatNoServerAnswers(t *testing.T) {
	t.Parallel()
	addr := freeAddrs(t, 1)[0]
	expectWarning(t, "nats://"+addr, addr, "connection refused")
}

// A node logs within seconds that several NATS servers do not answer, although it waits for
// each of them.
func TestNodeLogsSilentServersSoon(t *testing.T) {
	suite.Long(t, "the time-outs of NATS")
	t.Parallel()
	var urls []string
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0") // never accepts
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		urls = append(urls, "nats://"+l.Addr().String())
	}
	expectWarning(t, strings.Join(urls, ","), "no NATS server has answered yet")
}

// A node logs at once that a NATS server has no JetStream.
func TestNodeLogsMissingJetStream(t *testing.T) {
	t.Parallel()
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	nats.Start()
	t.Cleanup(func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	})
	if !nats.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	expectWarning(t, nats.ClientURL(), "does not offer JetStream")
}

// expectWarning opens a node at a URL, which must log a warning with these words first, and
// sooner than three silent servers take to time out, even if Open takes longer.
func expectWarning(t *testing.T, url string, words ...string) {
	t.Helper()
	logged := make(chan string, 100)
	o := places(t, 1, lasting)[0].options
	o.URL = url
	o.Logger = slog.New(slog.NewTextHandler(lines(logged), &slog.HandlerOptions{Level: slog.LevelWarn}))
	start := time.Now()
	said := make(chan struct{})
	var running sync.WaitGroup
	defer running.Wait()
	defer close(said)
	running.Go(func() {
		c, err := Open(t.Context(), o)
		if err != nil {
			t.Error(err)
			return
		}
		<-said
		ended, end := context.WithCancel(t.Context())
		end()
		c.Close(ended)
	})
	select {
	case line := <-logged:
		for _, word := range words {
			if !strings.Contains(line, word) {
				t.Errorf("it says %s", line)
			}
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not say why")
	}
	if took := time.Since(start); took >= 3*nats.DefaultTimeout {
		t.Errorf("it says so after %v", took)
	}
}

// A lines receives the lines of a log.
type lines chan<- string

func (l lines) Write(b []byte) (int, error) {
	select {
	case l <- string(b):
	default:
	}
	return len(b), nil
}

// A node logs at once that a NATS server is too old, and tries anyway.
func TestNodeLogsOldNATS(t *testing.T) {
	t.Parallel()
	l := listen(t, "127.0.0.1:0")
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerAsOld(c)
		}
	}()
	expectWarning(t, "nats://"+l.Addr().String(), "NATS 2.8 is too old, want 2.9")
}

// answerAsOld answers a client of NATS as a server without JetStream, of a version that
// lacks features that nodes need.
func answerAsOld(c net.Conn) {
	defer c.Close()
	io.WriteString(c, `INFO {"server_id":"old","version":"2.8.4","proto":1,"headers":true,"max_payload":1048576}`+"\r\n")
	id := "" // of the subscription to all answers
	for lines := bufio.NewScanner(c); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
		case words[0] == "PING":
			io.WriteString(c, "PONG\r\n")
		case words[0] == "SUB":
			id = words[2]
		case words[0] == "PUB" && len(words) == 4:
			const none = "NATS/1.0 503\r\n\r\n" // no responders
			fmt.Fprintf(c, "HMSG %s %s %d %d\r\n%s\r\n", words[2], id, len(none), len(none), none)
		}
	}
}

// The entries of a dead node end even if the bucket leaves no markers of expired entries, as
// with NATS before 2.11.
func TestEntriesEndWithoutMarkers(t *testing.T) {
	suite.Long(t, "three TTLs")
	t.Parallel()
	at := aroundNATS(t, 3*time.Second, "north", "south")
	conn, err := nats.Connect(at[0].options.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	config := (&Cluster{options: at[0].options}).config()
	config.LimitMarkerTTL = 0
	if _, err := js.CreateKeyValue(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	nodes := runAll(t, at)
	nodes[0].open(t, "192.0.2.1:2100")
	nodes[1].open(t, "192.0.2.2:2100")
	expect(t, long, nodes, "warzone 192.0.2.1:2100", "warzone 192.0.2.2:2100")
	nodes[1].stop() // as if it were killed
	expect(t, long, nodes[:1], "warzone 192.0.2.1:2100")
}
