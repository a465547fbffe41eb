package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// A relay is a port in front of a server, which adds or drops datagrams.
type relay struct {
	strays  []string          // after each request
	delay   time.Duration     // of answers
	forward func([]byte) bool // which answers arrive; nil means all
}

// start starts the relay before a server until the test ends, and returns its address.
func (r relay) start(t *testing.T, server string) (addr string) {
	t.Helper()
	front, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	clients := map[netip.AddrPort]net.Conn{}
	running.Go(func() {
		b := make([]byte, 2048)
		for {
			n, from, err := front.ReadFromUDPAddrPort(b)
			if err != nil {
				break
			}
			for _, stray := range r.strays {
				front.WriteToUDPAddrPort([]byte(stray), from)
			}
			conn := clients[from]
			if conn == nil {
				conn, err = net.Dial("udp", server)
				if err != nil {
					t.Error(err)
					break
				}
				clients[from] = conn
				running.Go(func() { r.answer(front, from, conn) })
			}
			conn.Write(b[:n])
		}
		for _, conn := range clients {
			conn.Close()
		}
	})
	t.Cleanup(func() {
		front.Close()
		running.Wait()
	})
	return front.LocalAddr().String()
}

// answer forwards the answers to a client.
func (r relay) answer(front *net.UDPConn, client netip.AddrPort, server net.Conn) {
	b := make([]byte, 1<<16)
	for {
		n, err := server.Read(b)
		if err != nil {
			return
		}
		if r.forward != nil && !r.forward(b[:n]) {
			continue
		}
		time.Sleep(r.delay)
		front.WriteToUDPAddrPort(b[:n], client)
	}
}

// isChallenge reports whether an answer only allows a query.
func isChallenge(b []byte) bool {
	_, sqpErr := sqp.ParseChallengeResponse(b)
	_, gamespyErr := gamespy2.ParseChallengeResponse(b)
	return sqpErr == nil || gamespyErr == nil
}

// outcomes returns what each command that queries a server prints for it, by the command.
// The commands run at the same time.
func outcomes(t *testing.T, service, game, addr string, flags ...string) map[string]string {
	t.Helper()
	got := map[string]string{}
	var mu sync.Mutex
	var running sync.WaitGroup
	note := func(name, text string) {
		mu.Lock()
		defer mu.Unlock()
		got[name] = text
	}
	for name, args := range map[string]string{
		"query": "query", "query -json": "query -json", "scan": "scan", "scan -json": "scan -json",
		"watch": "watch -health -failures 1 -slow 1m",
	} {
		running.Go(func() {
			args := append(strings.Fields(args), flags...)
			_, stdout, stderr := gamequery(nil, append(args, game, addr)...)
			note(name, stdout+stderr)
		})
	}
	for name, path := range map[string]string{
		"http": "/v1/query?game=" + game + "&address=" + addr, "probe": "/probe?module=" + game + "&target=" + addr,
	} {
		running.Go(func() {
			_, body := fetch(t, "http://"+service+path)
			note(name, body)
		})
	}
	running.Wait()
	return got
}

// inTime calls try with longer and longer timeouts, for slow machines, until nothing is wrong.
func inTime(t *testing.T, try func(timeout string) (wrong []string)) {
	t.Helper()
	var wrong []string
	for _, timeout := range []string{"300ms", "3s", "30s"} {
		if wrong = try(timeout); len(wrong) == 0 {
			return
		}
	}
	for _, text := range wrong {
		t.Error(text)
	}
}

// No command misses a server because of strays before its answer.
func TestStraysHideNoServer(t *testing.T) {
	t.Parallel()
	service, _ := background(t, "http", "-allow", "127.0.0.0/8", "-failures", "1", patient, "127.0.0.1:0")
	var testing sync.WaitGroup
	for game, protocol := range map[string]string{"sqp": "sqp", "minecraft": "gamespy2", "gameagent": "gameagent",
		"gamespy1": "gameagent"} {
		server, _ := background(t, "serve", protocol, "-name", "Healthy", "127.0.0.1:0")
		for _, strays := range [][]string{{"\x00"}, {"hello, world", ""}} {
			addr := relay{strays: strays, delay: 350 * time.Millisecond}.start(t, server)
			testing.Go(func() {
				for name, text := range outcomes(t, service, game, addr, patient) {
					if !strings.Contains(text, "Healthy") && !strings.Contains(text, "\nprobe_success 1\n") {
						t.Errorf("%s %s after %q: %s", name, game, strays, text)
					}
				}
				if game != "sqp" {
					return
				}
				_, stdout, stderr := gamequery(nil, "query", "-timeout", "1m", "auto", addr)
				if !strings.Contains(stdout, "Healthy") {
					t.Errorf("auto after %q: %s", strays, stderr)
				}
			})
		}
	}
	testing.Wait()
}

// For a server that answers challenges, but no queries, all commands print this, and none
// suggests that its port may be wrong.
func TestAnsweredChallengesAreNamed(t *testing.T) {
	t.Parallel()
	const want = "the challenge was answered, but the query was not"
	var testing sync.WaitGroup
	for game, protocol := range map[string]string{"sqp": "sqp", "gamespy2": "gamespy2", "minecraft": "gamespy2"} {
		server, _ := background(t, "serve", protocol, "127.0.0.1:0")
		addr := relay{forward: isChallenge}.start(t, server)
		testing.Go(func() {
			inTime(t, func(timeout string) (wrong []string) {
				service, stop := background(t, "http", "-allow", "127.0.0.0/8", "-attempts", "2", "-timeout", timeout,
					"-failures", "1", "127.0.0.1:0")
				defer stop()
				for name, text := range outcomes(t, service, game, addr, "-attempts", "2", "-timeout", timeout) {
					isRight := strings.Contains(text, want) && !strings.Contains(text, "check") ||
						name == "probe" && strings.Contains(text, `gamequery_verdict{verdict="sick"} 1`)
					if !isRight {
						wrong = append(wrong, fmt.Sprintf("%s %s: %s", name, game, text))
					}
					var line struct{ Attempts int }
					if _, err := fmt.Sscan(text, new(string)); err == nil && strings.HasPrefix(text, "{") {
						first, _, _ := strings.Cut(text, "\n")
						if err := json.Unmarshal([]byte(first), &line); err != nil || line.Attempts != 2 {
							wrong = append(wrong, fmt.Sprintf("%s %s: %d attempts, %v", name, game, line.Attempts, err))
						}
					}
				}
				return wrong
			})
			inTime(t, func(timeout string) []string {
				_, _, stderr := gamequery(nil, "query", "-timeout", timeout, "auto", addr)
				if strings.Contains(stderr, want) && !strings.Contains(stderr, "check") &&
					strings.Contains(stderr, "gamequery query "+protocol) {
					return nil
				}
				return []string{"auto " + game + ": " + stderr}
			})
		})
	}
	testing.Wait()
}

// If the full stat of a Minecraft server does not arrive, all commands show the basic one. The
// server is not sick.
func TestMinecraftBasicStatIsShown(t *testing.T) {
	t.Parallel()
	server, _ := background(t, "serve", "minecraft", "-name", "Healthy", "127.0.0.1:0")
	addr := relay{forward: func(b []byte) bool { return len(b) < 100 }}.start(t, server)
	inTime(t, func(timeout string) (wrong []string) {
		service, stop := background(t, "http", "-allow", "127.0.0.0/8", "-attempts", "1", "-timeout", timeout,
			"-failures", "1", "-slow", "1m", "127.0.0.1:0")
		defer stop()
		for name, text := range outcomes(t, service, "minecraft", addr, "-attempts", "1", "-timeout", timeout) {
			isShown := strings.Contains(text, "Healthy") || strings.Contains(text, "\nprobe_success 1\n")
			isMarked := !strings.Contains(text, `"roster"`) &&
				(text[0] != '{' || strings.Contains(text, `"lacks":"full stat"`))
			if !isShown || !isMarked || strings.Contains(text, "sick") && name != "probe" {
				wrong = append(wrong, name+": "+text)
			}
		}
		return wrong
	})
	inTime(t, func(timeout string) []string {
		_, stdout, stderr := gamequery(nil, "query", "-timeout", timeout, "auto", addr)
		if strings.Contains(stdout, "Healthy") && strings.Contains(stderr, "query gamespy2 -ask minecraft "+addr) {
			return nil
		}
		return []string{"auto: " + stderr + stdout}
	})
}

// A silent Minecraft server may not have its queries enabled. Servers of other games have no such
// setting.
func TestSilentMinecraftNamesItsSettings(t *testing.T) {
	t.Parallel()
	service, _ := background(t, "http", "-allow", "127.0.0.0/8", "-attempts", "1", "-failures", "1", "-timeout", "300ms",
		"127.0.0.1:0")
	silent, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, game := range []string{"minecraft", "mbe", "gamespy2", "ut3"} {
		isMinecraft := game[0] == 'm'
		all := outcomes(t, service, game, silent.LocalAddr().String(), "-attempts", "1", "-timeout", "300ms")
		for name, text := range all {
			names := strings.Contains(text, "enable-query=true") && strings.Contains(text, "query.port")
			if names != isMinecraft && name != "probe" {
				t.Errorf("%s %s: %s", name, game, text)
			}
		}
	}
}
