package data

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// servers is the number of servers of the benchmarks.
const servers = 19_000

// BenchmarkSave writes changes of all servers, which real ones send in half a minute.
func BenchmarkSave(b *testing.B) {
	w := full(b)
	round := 0
	for b.Loop() {
		round++
		for n := range servers {
			e := server(n, time.Now())
			e.Heartbeat += fmt.Sprint(round)
			w.Put(e)
		}
		if err := w.write(time.Now()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(w.journal.live)/servers, "bytes/server")
}

// BenchmarkSaveSame passes on all servers unchanged.
func BenchmarkSaveSame(b *testing.B) {
	w := full(b)
	now := time.Now()
	for b.Loop() {
		for n := range servers {
			w.Put(server(n, now))
		}
		if err := w.write(now); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRestore(b *testing.B) {
	w := full(b)
	for b.Loop() {
		l := newList(&Dir{path: b.TempDir()}, w.form, w.policy)
		l.journal.path = w.journal.path
		if err := l.restore(time.Now()); err != nil || len(l.kept) != servers {
			b.Fatal(len(l.kept), err)
		}
		l.close()
	}
}

// full returns a list of all servers.
func full(b *testing.B) *List[gamespy1net.Entry, netip.AddrPort] {
	b.Helper()
	l := agents(&Dir{path: b.TempDir()})
	for n := range servers {
		l.Put(server(n, time.Now()))
	}
	if err := l.write(time.Now()); err != nil {
		b.Fatal(err)
	}
	return l
}
