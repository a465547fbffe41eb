package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// A phase is a phase in the life of lobbyd.
type phase int32

const (
	starting phase = iota
	ready
	draining // still serves, but /readyz fails
	stopping
)

func (p phase) String() string {
	return [...]string{"starting", "ready", "draining", "stopping"}[p]
}

// A readiness reports to balancers whether new clients should be sent here.
type readiness struct{ phase atomic.Int32 }

func (r *readiness) get() phase  { return phase(r.phase.Load()) }
func (r *readiness) set(p phase) { r.phase.Store(int32(p)) }

// move changes from one phase to another, if the former is the current one.
func (r *readiness) move(from, to phase) bool { return r.phase.CompareAndSwap(int32(from), int32(to)) }

// handleReady serves /readyz: 503 unless new clients are welcome. A node that is cut off
// from its cluster, or has not had all of its lists yet, says so, and still is ready: if all
// nodes lose NATS, each is better than none. With ?cluster it is not. A missing certificate of
// -warzone-http concerns one server of many, so it needs ?certificate.
func (d *lobbyd) handleReady(w http.ResponseWriter, r *http.Request) {
	p := d.ready.get()
	isReady := p == ready
	var but []string
	if lack := d.lackOfCluster(); lack != "" {
		but = append(but, lack)
		isReady = isReady && !r.URL.Query().Has("cluster")
	}
	if missing := d.certificates.Missing(time.Now()); len(missing) > 0 {
		but = append(but, "without a valid certificate of -warzone-http for "+strings.Join(missing, ", "))
		isReady = isReady && !r.URL.Query().Has("certificate")
	}
	w.Header().Set("Cache-Control", "no-store")
	if !isReady {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if p == ready && len(but) > 0 {
		fmt.Fprintln(w, p, "but", strings.Join(but, " and "))
		return
	}
	fmt.Fprintln(w, p)
}

// lackOfCluster returns what this node lacks of its cluster, or "".
func (d *lobbyd) lackOfCluster() string {
	if cutOff := d.webState().CutOff; !cutOff.IsZero() {
		return "cut off from the cluster since " + cutOff.UTC().Format(time.RFC3339)
	}
	if !isClosed(d.whole()) {
		return "without all lists of the cluster"
	}
	return ""
}

// handleHealth serves /healthz, which always reports success.
func handleHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}
