//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

var manyServers = flag.Int("servers", 0, "measure lobbyd with this number of servers, such as 100000")

// beats is how often each server of the measurement sends a heartbeat.
const beats = time.Minute

// A serverCrowd are legacy servers at addresses in 127.0.0.0/8, all with one socket.
type serverCrowd struct {
	conn    *ipv4.PacketConn
	master  *net.UDPAddr
	port    uint16
	players []atomic.Int32
	mu      sync.Mutex // of writes

	marked atomic.Int64 // the server whose next answer is awaited, or -1
	told   chan time.Time
}

func newServerCrowd(t *testing.T, n int, master string) *serverCrowd {
	t.Helper()
	pc, err := net.ListenPacket("udp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	pc.(*net.UDPConn).SetReadBuffer(8 << 20)
	c := &serverCrowd{
		conn: ipv4.NewPacketConn(pc), port: pc.LocalAddr().(*net.UDPAddr).AddrPort().Port(),
		master: net.UDPAddrFromAddrPort(netip.MustParseAddrPort(master)), players: make([]atomic.Int32, n),
		told: make(chan time.Time, 1),
	}
	c.marked.Store(-1)
	if err := c.conn.SetControlMessage(ipv4.FlagDst, true); err != nil {
		t.Fatal(err)
	}
	inBackground(t, c.answer)
	t.Cleanup(func() { pc.Close() })
	return c
}

// addr returns the address of server i.
func (c *serverCrowd) addr(i int) net.IP {
	i += 1 << 16
	return net.IPv4(127, byte(i>>16), byte(i>>8), byte(i)).To4()
}

// of returns the server with an address, or -1.
func (c *serverCrowd) of(ip net.IP) int {
	b := ip.To4()
	i := int(b[1])<<16 + int(b[2])<<8 + int(b[3]) - 1<<16
	if i >= len(c.players) {
		return -1
	}
	return i
}

func (c *serverCrowd) send(i int, text string, to net.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn.WriteTo([]byte(text), &ipv4.ControlMessage{Src: c.addr(i)}, to)
}

func (c *serverCrowd) beat(i int) {
	c.send(i, fmt.Sprintf(`\heartbeat\%d\gamename\%s\`, c.port, gameOf(i)), c.master)
}

// gameOf returns the game of a server. A list of one game has at most 65 536 servers.
func gameOf(i int) string { return [...]string{"serioussam", "serioussamse"}[i%2] }

// answer answers queries for a status until the socket is closed.
func (c *serverCrowd) answer() {
	b := make([]byte, 2048)
	for {
		n, at, from, err := c.conn.ReadFrom(b)
		if err != nil {
			return
		}
		if i := c.of(at.Dst); i >= 0 && bytes.Contains(b[:n], []byte(`\status\`)) {
			c.send(i, fmt.Sprintf(`\gamename\%s\gamever\1.07\location\EU\hostname\Server %d\hostport\%d`+
				`\mapname\Karnak\gametype\Cooperative\numplayers\%d\maxplayers\64\gamemode\openplaying`+
				`\difficulty\Normal\friendlyfire\0\weaponsstay\1\ammostays\1\infiniteammo\0\final\\queryid\1.1`,
				gameOf(i), i, c.port-1, c.players[i].Load()), from)
			if c.marked.CompareAndSwap(int64(i), -1) {
				c.told <- time.Now()
			}
		}
	}
}

// register registers all servers.
func (c *serverCrowd) register(t *testing.T, l *running) {
	t.Helper()
	const atOnce = 512
	began := time.Now()
	for {
		isListed := make([]bool, len(c.players))
		for _, id := range l.idsOf(t) {
			host := strings.Split(id, "-")[1]
			if i := c.of(net.ParseIP(host)); i >= 0 {
				isListed[i] = true
			}
		}
		sent := 0
		for i := range isListed {
			if isListed[i] {
				continue
			}
			c.beat(i)
			if sent++; sent%atOnce == 0 {
				<-time.After(400 * time.Millisecond)
			}
		}
		if sent == 0 {
			t.Logf("%d servers have registered within %v", len(c.players), time.Since(began).Round(time.Second))
			return
		}
		<-time.After(2 * time.Second)
	}
}

// idsOf returns the IDs of the servers that the API lists.
func (l *running) idsOf(t *testing.T) (all []string) {
	t.Helper()
	var got struct{ Servers []struct{ ID string } }
	if err := json.Unmarshal([]byte(l.get(t, "/api/servers")), &got); err != nil {
		t.Fatal(err)
	}
	for _, one := range got.Servers {
		all = append(all, one.ID)
	}
	return all
}

// usage returns the processor time and the memory of a process.
func (p *process) usage(t *testing.T) (cpu time.Duration, rss int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] {
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	pages, _ := strconv.Atoi(fields[21])
	return time.Duration(ticks) * 10 * time.Millisecond, pages * os.Getpagesize() >> 20
}

// TestManyServers measures how soon the page and the API show the answer of a server, and what
// lobbyd needs for that, with very many servers, each with a heartbeat and a query once a minute.
// The API, the metric and the lists must contain the same number of servers.
func TestManyServers(t *testing.T) {
	if *manyServers == 0 {
		t.Skip("needs -servers")
	}
	config := file(t, fmt.Sprintf("[[gamespy.games]]\nname = %q\nkey = %q\n[web]\nrequests-per-source = 100000\n"+
		"requests-per-prefix = 100000\n[gameagent]\nrequests-per-source = 100000\n", gmtest.Name, gmtest.Key))
	s := newSurvivor(t, "-config", config, "-data", t.TempDir())
	s.start(t)
	c := newServerCrowd(t, *manyServers, s.addr["gameagent-legacy"])
	c.register(t, &s.running)
	_, before := s.now.usage(t)
	for range 3 {
		s.idsOf(t)
	}
	_, after := s.now.usage(t)
	t.Logf("memory: %d MB, and %d MB after three whole lists of the API", before, after)

	stop := make(chan struct{})
	var next atomic.Int64
	inBackground(t, func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for owed := 0.0; ; {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			for owed += float64(len(c.players)) * 0.01 / beats.Seconds(); owed >= 1; owed-- {
				i := int(next.Add(1)) % len(c.players)
				c.players[i].Store(int32(i+int(next.Load())) % 60)
				c.beat(i)
			}
		}
	})
	page := s.follow(t)
	<-time.After(25 * time.Second) // a server is not queried again before
	cpu, _ := s.now.usage(t)
	began := time.Now()
	lost := 0
	var agesOfPage, agesOfAPI []time.Duration
	for marker := int32(0); time.Since(began) < 40*time.Second; marker++ {
		i := (int(next.Load()) + len(c.players)/2) % len(c.players)
		c.players[i].Store(60 + marker%4)
		id := fmt.Sprintf("gameagent-%v-%d", c.addr(i), c.port-1)
		seen := page.await(id, int(60+marker%4))
		c.marked.Store(int64(i))
		c.beat(i)
		told := <-c.told
		if !s.shows(t, id, int(60+marker%4)) {
			lost++ // the answer came too late for lobbyd, on a busy machine
			continue
		}
		agesOfAPI = append(agesOfAPI, time.Since(told))
		agesOfPage = append(agesOfPage, (<-seen).Sub(told))
	}
	used, _ := s.now.usage(t)
	if len(agesOfPage) == 0 || lost > len(agesOfPage) {
		t.Fatalf("%d changes were lost, %d not", lost, len(agesOfPage))
	}
	for name, ages := range map[string][]time.Duration{"page": agesOfPage, "API": agesOfAPI} {
		slices.Sort(ages)
		t.Logf("age of the %s: median %v, at most %v (%d changes)", name, ages[len(ages)/2].Round(time.Millisecond),
			ages[len(ages)-1].Round(time.Millisecond), len(ages))
	}
	t.Logf("processor time: %.2f of a core", (used-cpu).Seconds()/time.Since(began).Seconds())
	close(stop)
	<-time.After(3 * time.Second)
	legacy := 0
	for i := range 2 {
		list, err := (&gamespy1net.Client{Game: gameOf(i)}).List(t.Context(), s.addr["gameagent-list"])
		if err != nil {
			t.Error(err)
		}
		legacy += len(list.Servers)
	}
	listed, err := strconv.ParseFloat(s.metric(t, `lobbyd_listed{family="gameagent"}`), 64)
	if err != nil {
		t.Fatal(err)
	}
	if api := len(s.idsOf(t)); api != int(listed) || api != legacy || api != *manyServers {
		t.Errorf("the API lists %d, the metric %d, the legacy list %d", api, int(listed), legacy)
	}
	_, rss := s.now.usage(t)
	t.Logf("memory at the end: %d MB", rss)
}

// shows waits until the API shows a server with some players, for a while.
func (s *survivor) shows(t *testing.T, id string, players int) bool {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience/2; <-time.After(10 * time.Millisecond) {
		var got struct{ Players int }
		if err := json.Unmarshal([]byte(s.get(t, "/api/servers/"+id)), &got); err != nil {
			t.Fatal(err)
		}
		if got.Players == players {
			return true
		}
	}
	return false
}

// A pageFollower receives the events of the page.
type pageFollower struct {
	mu    sync.Mutex
	waits map[string]chan time.Time
	want  map[string]int
}

// follow follows the events of the page until the test ends.
func (s *survivor) follow(t *testing.T) *pageFollower {
	t.Helper()
	r, err := http.Get("http://" + s.addr["web"] + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	f := &pageFollower{waits: make(map[string]chan time.Time), want: make(map[string]int)}
	in := bufio.NewReaderSize(r.Body, 1<<20)
	inBackground(t, func() { f.read(in) })
	t.Cleanup(func() { r.Body.Close() })
	return f
}

func (f *pageFollower) read(in *bufio.Reader) {
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF || len(line) == 0 {
			return
		}
		data, isData := bytes.CutPrefix(line, []byte(`data: {"put":`))
		if !isData {
			continue
		}
		var change struct {
			Put []struct {
				ID      string
				Players int
			}
		}
		if json.Unmarshal(append([]byte(`{"put":`), data...), &change) != nil {
			continue
		}
		f.mu.Lock()
		for _, one := range change.Put {
			if c := f.waits[one.ID]; c != nil && f.want[one.ID] == one.Players {
				c <- time.Now()
				delete(f.waits, one.ID)
			}
		}
		f.mu.Unlock()
	}
}

// await returns a channel that gets the time when the page shows a server with some players.
func (f *pageFollower) await(id string, players int) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := make(chan time.Time, 1)
	f.waits[id], f.want[id] = c, players
	return c
}
