//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// vitals are the resources that a process uses.
type vitals struct {
	rss        uint64 // resident memory in bytes
	live       uint64 // bytes on the heap after a garbage collection
	goroutines uint64 // without the goroutines of the request to /metrics
}

func (v vitals) String() string {
	return fmt.Sprintf("RSS %.1f MiB, heap %.1f MiB, %d goroutines", mib(v.rss), mib(v.live), v.goroutines)
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

// vitals measures the process.
func (p *process) vitals(t *testing.T, addr map[string]string) vitals {
	t.Helper()
	profiles := "http://" + addr["admin-listen"] + "/debug/pprof/"
	heap := fetch(t, profiles+"heap?gc=1&debug=1")
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	return vitals{
		rss:        number(t, string(status), "VmRSS:") << 10,
		live:       number(t, heap, "# HeapAlloc ="),
		goroutines: number(t, fetch(t, profiles+"goroutine?debug=1"), "goroutine profile: total"),
	}
}

// number returns the number after a label at the start of a line.
func number(t *testing.T, text, label string) uint64 {
	t.Helper()
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, label); found {
			n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no line with %q", label)
	return 0
}

// fetch requests a URL of lobbyd with the token, over a new connection.
func fetch(t *testing.T, url string) string {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Close = true
	q.Header.Set("Authorization", "Bearer "+token)
	client := http.Client{Timeout: patience}
	r, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, r.Status, err)
	}
	return string(b)
}

// growth returns the medians of the first and the last third of some vitals.
func growth(all []vitals, of func(v vitals) uint64) (before, after uint64) {
	third := (len(all) + 2) / 3
	return median(all[:third], of), median(all[len(all)-third:], of)
}

func median(some []vitals, of func(v vitals) uint64) uint64 {
	var numbers []uint64
	for _, v := range some {
		numbers = append(numbers, of(v))
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

// listening waits until a process is ready, and returns its addresses. From then on,
// its log is discarded.
func (p *process) listening(t *testing.T) map[string]string {
	t.Helper()
	addr := make(map[string]string)
	for p.logs.Scan() {
		var line record
		if err := json.Unmarshal(p.logs.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		switch line["msg"] {
		case "listening":
			addr[line["server"].(string)] = line["address"].(string)
		case "ready":
			go drain(p.logs)
			return addr
		}
	}
	t.Fatal("lobbyd ended before it was ready")
	return nil
}

func drain(lines *bufio.Scanner) {
	for lines.Scan() {
	}
}

// fewGoroutines is the number of goroutines of the connection that counts them, and of
// the one before.
const fewGoroutines = 3

// awaitGoroutines waits until a process has at most fewGoroutines more goroutines than
// most.
func (p *process) awaitGoroutines(t *testing.T, addr map[string]string, most uint64) (v vitals) {
	t.Helper()
	again := time.NewTicker(time.Second / 4)
	defer again.Stop()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-again.C {
		v = p.vitals(t, addr)
		if v.goroutines <= most+fewGoroutines {
			return v
		}
	}
	t.Errorf("%d goroutines are left of %d:\n%s", v.goroutines, most,
		fetch(t, "http://"+addr["admin-listen"]+"/debug/pprof/goroutine?debug=1"))
	return v
}
