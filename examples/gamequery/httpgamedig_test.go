package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// gamedigServer is a query service around the library of gamedig.
const gamedigServer = `
const { GameDig } = require('gamedig');
require('http').createServer(async (request, response) => {
  const [host, port] = new URL(request.url, 'http://x').searchParams.get('address').split(':');
  try {
    response.end(JSON.stringify(await GameDig.query({ type: 'battlefield2', host, port, givenPortOnly: true })));
  } catch (err) {
    response.statusCode = 500;
    response.end(err.message);
  }
}).listen(0, '127.0.0.1', function () { console.log('listening on 127.0.0.1:' + this.address().port + ';'); });
`

// A countedConn counts the datagrams that arrive.
type countedConn struct {
	net.PacketConn
	arrived *atomic.Int64
}

func (c countedConn) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(b)
	if err == nil {
		c.arrived.Add(1)
	}
	return n, from, err
}

// Our query service, even without its cache, takes less than one around gamedig for 1000
// queries of 100 servers. With -v this prints how they compare.
func TestHTTPTakesLessThanGamedig(t *testing.T) {
	suite.Tool(t, querytools.Gamedig("battlefield2"))
	goTool := suite.Program(t, "go")
	program := filepath.Join(t.TempDir(), "gamequery")
	build := exec.Command(goTool, "build", "-race=false", "-o", program, ".") // GOFLAGS may have -race
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var arrived atomic.Int64
	targets := countedServers(t, &arrived)
	common := []string{"http", "-allow", "127.0.0.0/8", "-rate", "100000"}
	usual := measure(t, targets, &arrived, exec.Command(program, append(common, "127.0.0.1:0")...))
	plain := measure(t, targets, &arrived, exec.Command(program, append(common, "-cache", "0s", "127.0.0.1:0")...))
	gamedig := measure(t, targets, &arrived, exec.Command("node", "-e", gamedigServer))
	for _, row := range []struct {
		name string
		cost
	}{{"gamequery http", usual}, {"gamequery http -cache 0s", plain}, {"gamedig", gamedig}} {
		t.Logf("%-25s %5d datagrams, %6.0f ms of the processor, ratio %.2f", row.name, row.datagrams,
			row.processor.Seconds()*1000, row.processor.Seconds()/gamedig.processor.Seconds())
	}
	if usual.datagrams >= gamedig.datagrams || usual.processor >= gamedig.processor ||
		plain.processor >= gamedig.processor {
		t.Error("gamedig takes less")
	}
}

// countedServers runs 100 servers and returns their addresses.
func countedServers(t *testing.T, arrived *atomic.Int64) (targets []string) {
	for i := range 100 { // in prefixes of their own, whose limits do not matter here
		pc, err := net.ListenPacket("udp4", fmt.Sprintf("127.0.%d.1:0", i))
		if err != nil {
			t.Skip(err) // some systems have 127.0.0.1 only
		}
		s := &gamespy2net.Server{}
		if err := s.Set(gamespy2net.State{}); err != nil {
			t.Fatal(err)
		}
		go s.Serve(countedConn{pc, arrived})
		t.Cleanup(func() { s.Close() })
		targets = append(targets, pc.LocalAddr().String())
	}
	return targets
}

// A cost is the processor time and memory that a service needs for its queries.
type cost struct {
	datagrams int64
	processor time.Duration
}

// measure runs a service and has it query each target ten times, 20 at one time.
func measure(t *testing.T, targets []string, arrived *atomic.Int64, service *exec.Cmd) cost {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	service.Stdout, service.Stderr = w, w
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer context.AfterFunc(ctx, func() { service.Process.Kill() })()
	w.Close()
	lines := bufio.NewReader(r)
	line, _ := lines.ReadString('\n')
	found := regexp.MustCompile(` on (\S+);`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("%q", line)
	}
	before := arrived.Load()
	for range 50 {
		failed := make(chan error, 20)
		for range 20 {
			address := targets[0]
			targets = append(targets[1:], address)
			go func() {
				failed <- get(ctx, "http://"+found[1]+"/v1/query?game=battlefield2&address="+url.QueryEscape(address))
			}()
		}
		for range 20 {
			if err := <-failed; err != nil {
				t.Fatal(err)
			}
		}
	}
	got := cost{datagrams: arrived.Load() - before}
	service.Process.Signal(os.Interrupt)
	service.Wait()
	got.processor = service.ProcessState.UserTime() + service.ProcessState.SystemTime()
	return got
}

func get(ctx context.Context, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || bytes.Contains(body, []byte(`"error"`))) {
		err = fmt.Errorf("%s: %s, %s", address, resp.Status, body)
	}
	return err
}
