//go:build linux

package main

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/soak"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Flags of the soak test. For an hour it also needs -timeout 0.
var (
	soakFor  = flag.Duration("soak", suite.Pick(defaultSoak, time.Minute), "how `long` hosts come and go in the soak test")
	soakSeed = flag.Uint64("soak-seed", 0, "`number` that the soak test begins with; 0 is another each time")
)

const defaultSoak = 3 * time.Second

// Limits for the growth of memory, from the first third of the time after the warm-up to
// the last. Medians of samples after a garbage collection are compared, because the
// number of hosts varies. In an hour this detects a leak of 100 bytes for each connection
// or list, in minutes a leak of a few KiB.
const (
	heapGrows   = 1.10
	heapMore    = 4 << 20
	memoryGrows = 1.10
	memoryMore  = 16 << 20
	heapLeft    = 14 << 20 // after all hosts have left; refusals leave tables of a fixed size
)

// soakHosts returns the number of hosts: 5000, or fewer in the short suite, or if the limit of
// open files is low. A host needs up to two files.
func soakHosts(t *testing.T) int {
	hosts := suite.Pick(100, 5000)
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	// The Go runtime has already raised the soft limit to the hard limit.
	if most := max(300, (int(min(files.Cur, 1<<20))-1000)/2); most < hosts {
		t.Logf("%d open files are enough for %d hosts of %d", files.Cur, most, hosts)
		hosts = most
	}
	return hosts
}

const soakConfig = `
[gameagent]
lists-per-source = 100000
[bans]
patterns = ['` + soak.Strangers + `']
`

// Thousands of hosts join, change and leave, clients fetch lists, and hostile peers
// send hostile input. All lists must be correct, memory must not grow, and at the end
// the lists must be empty.
func TestSoak(t *testing.T) {
	if !suite.IsLong() {
		t.Parallel() // its hosts are few, and wait until they may leave
	}
	config := filepath.Join(t.TempDir(), "lobbyd.toml")
	if err := os.WriteFile(config, []byte(soakConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	corpus, err := soak.ReadCorpus(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	p := spawn(t, nil, withAdminListener(t, "-http", "127.0.0.1:0", "-config", config, "-pprof")...)
	s := &soak.Soak{
		Addr:   p.listening(t),
		Corpus: corpus,
		Hosts:  soakHosts(t),
		Seed:   *soakSeed,
		Ramp:   *soakFor / 4,
		Stay:   30 * time.Second,
		Away:   10 * time.Second,
	}
	if s.Ramp > 10*time.Second {
		s.Ramp = 10 * time.Second
	}
	for s.Seed == 0 {
		s.Seed = rand.Uint64()
	}
	t.Logf("%d hosts for %v; again with -soak-seed %d", s.Hosts, *soakFor, s.Seed)
	idle := p.vitals(t, s.Addr)
	t.Logf("idle: %v", idle)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end := time.After(*soakFor)
	done := make(chan error, 1)
	goroutines := labeled(t, func() { go func() { done <- s.Run(ctx) }() })
	var all []vitals
	warm := time.After(s.Ramp + *soakFor/10)
	every := time.NewTicker(max(time.Second/2, *soakFor/60))
	defer every.Stop()
	for busy := true; busy; {
		select {
		case <-warm:
			all = []vitals{}
		case <-every.C:
			here, v := s.Report().Here, p.vitals(t, s.Addr)
			if len(all)%10 == 0 {
				t.Logf("%d hosts are here: %v", here, v)
			}
			if all != nil {
				all = append(all, v)
			}
		case <-end:
			busy = false
		}
	}
	eventually(t, func() string {
		metrics := fetch(t, "http://"+s.Addr["metrics"]+"/metrics")
		for _, server := range []string{"warzone", "http", "text", "binary", "json", "bomberman"} {
			if number(t, metrics, `lobbyd_malformed_total{server="`+server+`"}`) == 0 {
				return "hostile peers have sent nothing malformed to " + server
			}
		}
		if s.Report().Players == 0 {
			return "no player has joined a game"
		}
		return ""
	})
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r := s.Report()
	t.Logf("%d joins, %d updates, %d players, %d hostile payloads", r.Joins, r.Updates, r.Players, r.Payloads)
	t.Logf("%d lists with %d entries, which had to have %d and not to have %d: %d faults",
		r.Lists, r.Entries, r.Present, r.Absent, r.Faults)
	for _, fault := range r.Examples {
		t.Error(fault)
	}
	if suite.IsLong() {
		checkGrowth(t, all)
	}
	p.awaitGoroutines(t, s.Addr, idle.goroutines)
	fetch(t, "http://"+s.Addr["web"]+"/api/servers") // in place of the last list, which is kept
	p.vitals(t, s.Addr)                              // pools keep what they have for one collection
	v := p.awaitGoroutines(t, s.Addr, idle.goroutines)
	t.Logf("in the end: %v", v)
	if v.live > idle.live+heapLeft {
		t.Errorf("%.1f MiB of heap are left", mib(v.live))
	}
	eventually(t, func() string { return strings.Join(goroutines(), "\n\n") })
}

func checkGrowth(t *testing.T, all []vitals) {
	t.Helper()
	if len(all) < 3 {
		t.Fatalf("only %d samples", len(all))
	}
	for _, memory := range []struct {
		name  string
		of    func(v vitals) uint64
		grows float64
		more  float64
	}{
		{"heap", func(v vitals) uint64 { return v.live }, heapGrows, heapMore},
		{"RSS", func(v vitals) uint64 { return v.rss }, memoryGrows, memoryMore},
	} {
		before, after := growth(all, memory.of)
		t.Logf("%s of %d samples: %.1f MiB, then %.1f MiB", memory.name, len(all), mib(before), mib(after))
		if float64(after) > float64(before)*memory.grows+memory.more {
			t.Errorf("%s has grown from %.1f to %.1f MiB", memory.name, mib(before), mib(after))
		}
	}
}
