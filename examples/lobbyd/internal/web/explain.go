package web

import (
	"bytes"
	"errors"
	"net/http"
	"net/netip"
	"strings"
)

// serveExplanation answers why servers of an address are not listed.
func (s *Server) serveExplanation(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	if s.Explain == nil {
		http.NotFound(w, r)
		return
	}
	at, err := ParseHost(r.URL.Query().Get("address"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	cost := 1 + len(s.Catalogue.Snapshot().Entries)/rowsOfSlot
	if !s.Limiter.Spend(w, r, cost) {
		return
	}
	var b []byte
	if s.Limiter.Work(w, r, cost, func() { b = encode(s.Explain(at)) }) {
		answerAs(w, r, jsonType, digest(b), bytes.NewReader(b))
	}
}

// ParseHost reads an address, which may have a port; otherwise that is 0.
func ParseHost(text string) (netip.AddrPort, error) {
	text = strings.TrimSpace(text)
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at, nil
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.AddrPort{}, errors.New("give an address, as 192.0.2.7 or 192.0.2.7:6500")
	}
	return netip.AddrPortFrom(addr, 0), nil
}
