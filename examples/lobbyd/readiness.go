package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// handleReady serves /readyz: 503 unless new clients are welcome. A node that is cut off from
// its cluster, or lacks some of its lists yet, reports that, but is still ready: if all nodes
// lose NATS, each is better than none. With ?cluster, it is not ready. A missing certificate
// of -warzone-http concerns one server of many, so it needs ?certificate.
func (f *fronts) handleReady(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	p := f.ready.get()
	if p != ready { // the certificates are read when there are any
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, p)
		return
	}
	isReady := true
	var but []string
	if lack := f.lackOfCluster(); lack != "" {
		but = append(but, lack)
		isReady = !r.URL.Query().Has("cluster")
	}
	if missing := f.lists.certificates.Missing(time.Now()); len(missing) > 0 {
		but = append(but, "without a valid certificate of -warzone-http for "+strings.Join(missing, ", "))
		isReady = isReady && !r.URL.Query().Has("certificate")
	}
	if !isReady {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if len(but) > 0 {
		fmt.Fprintln(w, p, "but", strings.Join(but, " and "))
		return
	}
	fmt.Fprintln(w, p)
}

// lackOfCluster returns why this node is not a whole part of its cluster, or "".
func (f *fronts) lackOfCluster() string {
	if cutOff := f.lists.webState().CutOff; !cutOff.IsZero() {
		return "cut off from the cluster since " + cutOff.UTC().Format(time.RFC3339)
	}
	if !isClosed(f.lists.whole()) {
		return "without all lists of the cluster"
	}
	return ""
}

// handleHealth serves /healthz, which always reports success.
func handleHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}
