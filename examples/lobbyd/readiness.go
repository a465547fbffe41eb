package main

import (
	"fmt"
	"net/http"
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
// from its cluster says so, and still is ready: if all nodes lose NATS, each is better than
// none. With ?cluster it is not.
func (d *lobbyd) handleReady(w http.ResponseWriter, r *http.Request) {
	p := d.ready.get()
	cutOff := d.webState().CutOff
	w.Header().Set("Cache-Control", "no-store")
	if p != ready || !cutOff.IsZero() && r.URL.Query().Has("cluster") {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if p == ready && !cutOff.IsZero() {
		fmt.Fprintln(w, p, "but cut off from the cluster since", cutOff.UTC().Format(time.RFC3339))
		return
	}
	fmt.Fprintln(w, p)
}

// handleHealth serves /healthz, which always reports success.
func handleHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}
