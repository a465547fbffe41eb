//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/soak"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

var restartedHosts = flag.Int("restarts", 0, "restart and kill lobbyd with this number of hosts, such as 200")

var restartsAfterEnds = flag.Bool("ends", false, "kill lobbyd after a game has expired, in two minutes")

// A game that has expired, because its host has vanished, is not listed after a restart, whether
// lobbyd was killed or stopped.
func TestExpiredGamesAreNotRestored(t *testing.T) {
	if !*restartsAfterEnds {
		t.Skip("needs -ends")
	}
	s := newSurvivor(t, "-data", t.TempDir())
	s.start(t)
	transport := &vanishing{gone: make(chan struct{})}
	hostHTTP(t, "http://"+s.addr["web"]+lobbyPath, "stays")
	hostHTTPWith(t, &wzhttpnet.Host{
		Addr: "http://" + s.addr["web"] + lobbyPath, NoIPv6: true, HTTP: &http.Client{Transport: transport},
	}, "vanishes")
	s.wantListed(t, "warzone stays", "warzone vanishes")
	close(transport.gone)
	for slices.Contains(s.listed(t), "warzone vanishes") {
		<-time.After(time.Second)
	}
	<-time.After(time.Second / 10)
	for _, with := range []os.Signal{os.Kill, syscall.SIGTERM, os.Kill} {
		s.end(t, with)
		s.start(t)
		for began := time.Now(); time.Since(began) < 3*time.Second; <-time.After(time.Second / 10) {
			if got := s.listed(t); slices.Contains(got, "warzone vanishes") {
				t.Fatalf("after %v: listed %q", with, got)
			}
		}
		s.wantListed(t, "warzone stays")
	}
}

// vanishing is a Transport that fails once gone is closed.
type vanishing struct{ gone chan struct{} }

func (v *vanishing) RoundTrip(r *http.Request) (*http.Response, error) {
	if isClosed(v.gone) {
		return nil, errors.New("the host has vanished")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// restartPlan returns the signals that end lobbyd, five times as many with thousands of hosts.
func restartPlan() (with []syscall.Signal) {
	with = []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGTERM}
	if *restartedHosts >= 1000 {
		for range 4 {
			with = append(with, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGTERM)
		}
	}
	return with
}

// Hosts of all protocols stay while lobbyd is restarted and killed, among hostile peers, and
// systemd keeps its sockets and connections. No list is wrong or empty, and no host is lost.
func TestHostsSurviveRestartsAmongAttackers(t *testing.T) {
	if *restartedHosts == 0 {
		t.Skip("needs -restarts")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "lobbyd.toml")
	if err := os.WriteFile(config, []byte(soakConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	corpus, err := soak.ReadCorpus(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	h := newHolder(t, map[string]string{
		"gameagent": "udp", "warzone": "tcp", "text": "tcp", "binary": "tcp", "json": "tcp", "http": "tcp",
		"bomberman": "tcp", "web": "tcp", "metrics": "tcp",
	}, append(anywhere(), "-config", config, "-data", filepath.Join(dir, "data"))...)
	hosts, signals := *restartedHosts, restartPlan()
	s := &soak.Soak{
		Addr: h.addr, Corpus: corpus, Hosts: hosts, Seed: rand.Uint64(),
		Ramp: time.Duration(hosts) * 5 * time.Millisecond,
		Stay: 10_000 * time.Hour, // always
		Away: time.Second,
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	await := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(4 * patience); !is(); <-time.After(time.Second / 10) {
			if time.Now().After(deadline) {
				t.Fatalf("not %s: %+v", what, s.Report())
			}
		}
	}
	await("all hosts are here", func() bool { return s.Report().Here == hosts })
	t.Logf("%d hosts", hosts)
	for _, with := range signals {
		before := s.Report().Present // each host is in three lists or more
		await("all lists have been looked at", func() bool { return s.Report().Present > before+5*uint64(hosts) })
		began := time.Now()
		var down time.Duration
		took := s.Restart(ctx, with == syscall.SIGKILL, func() {
			h.end(t, with)
			h.start(t)
			down = time.Since(began)
		})
		t.Logf("%v: down for %v, all lists are whole %v after the start", with, down, took)
	}
	await("all hosts have returned", func() bool { return s.Report().Here == hosts })
	await("all game servers of Bomberman have returned", func() bool { return !h.isRestored(t, "bomberman") })
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r := s.Report()
	t.Logf("%d joins, %d updates, %d players, %d hostile payloads, %d cut", r.Joins, r.Updates, r.Players,
		r.Payloads, r.Cut)
	t.Logf("%d lists with %d entries, which had to have %d: %d faults", r.Lists, r.Entries, r.Present, r.Faults)
	for _, fault := range r.Examples {
		t.Error(fault)
	}
}

// isRestored reports whether servers of a family are listed that have sent nothing since the
// start.
func (l *running) isRestored(t *testing.T, family string) bool {
	t.Helper()
	var got struct {
		Servers []struct{ Family, Saved string }
	}
	if err := json.Unmarshal([]byte(l.get(t, "/api/servers")), &got); err != nil {
		t.Fatal(err)
	}
	for _, one := range got.Servers {
		if one.Family == family && one.Saved != "" {
			return true
		}
	}
	return false
}
