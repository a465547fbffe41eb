package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// startLabeled starts lobbyd, and returns a function that returns the stacks of its goroutines.
func startLabeled(t *testing.T, args ...string) (l *running, goroutines func() []string) {
	t.Helper()
	goroutines = labeled(t, func() { l = start(t, args...) })
	return l, goroutines
}

// labeled calls f, and returns a function that returns the stacks of the goroutines that f has
// started: other tests run at the same time.
func labeled(t *testing.T, f func()) (goroutines func() []string) {
	t.Helper()
	pprof.Do(t.Context(), pprof.Labels("test", t.Name()), func(context.Context) { f() })
	return func() (ours []string) {
		var all strings.Builder
		if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
			t.Fatal(err)
		}
		for stack := range strings.SplitSeq(all.String(), "\n\n") {
			if strings.Contains(stack, strconv.Quote(t.Name())) && !strings.Contains(stack, "os/signal.loop") {
				ours = append(ours, stack)
			}
		}
		return ours
	}
}

// Lobbyd shuts down while clients fetch lists and hosts are connected. It takes less
// time than the grace period, and leaves no goroutines and no sockets.
func TestShutdownUnderLoadLeavesNothing(t *testing.T) {
	t.Parallel()
	const grace = time.Minute
	args := append(anywhere(), "-grace", grace.String())
	const own = "127.0.23.1:0" // where no other test takes the ports before lobbyd returns
	if ln, err := net.Listen("tcp", own); err == nil {
		ln.Close()
		for i, arg := range args {
			if arg == "127.0.0.1:0" {
				args[i] = own
			}
		}
	}
	l, goroutines := startLabeled(t, args...)
	var load sync.WaitGroup
	stop := make(chan struct{})
	busy := func(ask func() error) {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if ask() != nil { // as after the shutdown
					<-time.After(5 * time.Millisecond)
				}
			}
		})
	}
	for _, name := range []string{"warzone", "text", "binary", "json", "bomberman", "web"} {
		for range 20 { // that send nothing
			c, err := net.Dial("tcp", l.addr[name])
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
	}
	lobby := warzonenet.Client{ListEvery: always}
	text := proposalnet.Client{ListEvery: always}
	client := &http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for range 4 {
		busy(func() error { _, err := lobby.List(t.Context(), l.addr["warzone"]); return err })
		busy(func() error { _, err := text.List(t.Context(), l.addr["text"]); return err })
		busy(func() error {
			r, err := client.Get("http://" + l.addr["metrics"] + "/metrics")
			if err == nil {
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
			return err
		})
	}
	eventually(t, func() string {
		if got := l.metric(t, `lobbyd_lists_total{server="warzone"}`); got == "0" {
			return "nobody has asked for a list"
		}
		return ""
	})
	before := time.Now()
	if code := l.end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(before); took >= grace {
		t.Errorf("took %v", took)
	}
	close(stop)
	load.Wait()
	eventually(t, func() string { return strings.Join(goroutines(), "\n\n") })

	args = []string{"-data", noData}
	for name, addr := range l.addr {
		args = append(args, "-"+name, addr)
	}
	again := start(t, args...)
	if got := again.metric(t, `lobbyd_listed{family="warzone"}`); got != "0" {
		t.Errorf("%s games are listed", got)
	}
}

// While it drains, lobbyd still answers clients, but /readyz fails.
func TestDrainingServerStillAnswers(t *testing.T) {
	t.Parallel()
	var err error
	for _, drain := range []time.Duration{2 * time.Second, 30 * time.Second} { // the second one for slow machines
		if err = answersWhileDraining(t, drain); err == nil {
			return
		}
	}
	t.Error(err)
}

func answersWhileDraining(t *testing.T, drain time.Duration) error {
	t.Helper()
	l := start(t, append(anywhere(), "-drain", drain.String())...)
	before := time.Now()
	end := make(chan int, 1)
	go func() { end <- l.end() }()
	l.logged(t, "draining")
	r, err := http.Get("http://" + l.addr["web"] + "/readyz")
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if b, err := io.ReadAll(r.Body); err != nil || string(b) != "stopping\n" {
		return fmt.Errorf("readyz says %q, %w", b, err)
	}
	client := warzonenet.Client{ListEvery: always}
	if _, err := client.List(t.Context(), l.addr["warzone"]); err != nil {
		return err
	}
	if code := <-end; code != exitOK || time.Since(before) < drain {
		return fmt.Errorf("exit code %d after %v", code, time.Since(before))
	}
	return nil
}

// Until the last connection ends or the grace period is over, /readyz reports that
// lobbyd is stopping. Then the open connections are closed.
func TestGraceEndsOpenConnections(t *testing.T) {
	l, goroutines := startLabeled(t, withAdminListener(t, "-grace", "100ms", "-pprof")...)
	q, err := http.NewRequest(http.MethodGet, "http://"+l.addr["admin-listen"]+"/debug/pprof/profile?seconds=20", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	ended := make(chan error, 1)
	go func() {
		r, err := http.DefaultClient.Do(q)
		if err == nil {
			_, err = io.ReadAll(r.Body)
		}
		ended <- err
	}()
	eventually(t, func() string {
		if !slices.ContainsFunc(goroutines(),
			func(stack string) bool { return strings.Contains(stack, "pprof.Profile+") }) {
			return "no profile is being made"
		}
		return ""
	})
	end := make(chan int, 1)
	go func() { end <- l.end() }()
	line := l.logged(t, "connections were closed at the end of the grace period")
	if !strings.HasPrefix(line["server"].(string), "admin") {
		t.Errorf("%v", line)
	}
	if code := <-end; code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if err := <-ended; err == nil {
		t.Error("the request got its answer")
	}
}

// /readyz returns 503 in each phase except ready.
func TestReadyzIs503UnlessReady(t *testing.T) {
	for p, want := range map[phase]int{starting: 503, ready: 200, draining: 503, stopping: 503} {
		d := newLobbyd(defaults(), io.Discard)
		d.ready.set(p)
		w := httptest.NewRecorder()
		d.fronts.handleReady(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if w.Code != want || w.Body.String() != p.String()+"\n" {
			t.Errorf("%v: %d, %s", p, w.Code, w.Body)
		}
	}
}
