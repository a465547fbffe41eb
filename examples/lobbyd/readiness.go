package main

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// A phase is what lobbyd is doing.
type phase int32

const (
	starting phase = iota
	ready
	draining // serves, but wants no more to come
	stopping
)

func (p phase) String() string {
	return [...]string{"starting", "ready", "draining", "stopping"}[p]
}

// A readiness tells balancers whether to send clients here.
type readiness struct{ phase atomic.Int32 }

func (r *readiness) get() phase  { return phase(r.phase.Load()) }
func (r *readiness) set(p phase) { r.phase.Store(int32(p)) }

// move goes from one phase to another, if it is in that.
func (r *readiness) move(from, to phase) bool { return r.phase.CompareAndSwap(int32(from), int32(to)) }

// handleReady answers /readyz: 503 unless clients are welcome.
func (r *readiness) handleReady(w http.ResponseWriter, _ *http.Request) {
	p := r.get()
	w.Header().Set("Cache-Control", "no-store")
	if p != ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, p)
}

// handleHealth answers /healthz: as long as it answers at all, it is healthy.
func handleHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}
