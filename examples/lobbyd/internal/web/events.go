package web

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

const (
	// A viewer has writeTimeout to receive an event, plus one second per slowest
	// bytes.
	writeTimeout = 20 * time.Second
	slowest      = 32 << 10

	// quiet is the longest silence of a stream. A comment then detects viewers that
	// are gone, and keeps proxies from closing the stream.
	quiet = 15 * time.Second
)

// Viewers reconnect after a random time between these, in milliseconds, so that not
// all reconnect at once when a node restarts.
const (
	minRetry = 1000
	maxRetry = 5000
)

func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	open(h)
	client := s.Limiter.Client(r)
	switch s.enter(client) {
	case full:
		s.Limiter.Refuse(w, r, admission.Streams)
		return
	case ended:
		h.Set("Retry-After", "10")
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	case entered:
	}
	defer s.streams.leave(client)
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for nginx
	if r.Method == http.MethodHead {
		return
	}
	v := viewer{out: w, control: http.NewResponseController(w)}
	if err := v.control.SetReadDeadline(time.Time{}); err != nil { // the http.Server may have set one
		http.Error(w, "streams need deadlines", http.StatusInternalServerError)
		return
	}
	err := v.send(strings.NewReader("retry: " + strconv.Itoa(minRetry+rand.N(maxRetry-minRetry)) + "\n\n"))
	if err != nil {
		return
	}
	s.show(&v, r)
}

// show sends events until the viewer is gone or too slow, or all streams end.
func (s *Server) show(v *viewer, r *http.Request) {
	version, knows := s.lastVersion(r)
	next, resumed := s.feed.join(version, knows)
	var events []body
	if !resumed {
		list := s.list.get(s.boot, s.Catalogue.Snapshot())
		version = list.number
		// with quarantined servers too
		events = append(events, bytes.NewReader(eventHead("snapshot", list.version)), list.all, bytes.NewReader(eventTail))
	}
	var shown []byte
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		frames, state, grown, ok := s.feed.read(next)
		if !ok {
			return
		}
		next += uint64(len(frames))
		if !bytes.Equal(state, shown) {
			shown = state
			events = append(events, bytes.NewReader(state))
		}
		for _, f := range frames {
			if f.version > version { // a later snapshot contains the others
				events = append(events, bytes.NewReader(f.bytes))
			}
		}
		if len(events) > 0 {
			if v.send(events...) != nil {
				return
			}
			events = nil
			timer.Reset(quiet)
			continue
		}
		select {
		case <-grown:
		case <-timer.C:
			if v.send(strings.NewReader(":\n\n")) != nil {
				return
			}
			timer.Reset(quiet)
		case <-r.Context().Done():
			return
		case <-s.stopping.Done():
			return
		}
	}
}

// lastVersion returns the version that a viewer already has, if it is of this
// process.
func (s *Server) lastVersion(r *http.Request) (version uint64, knows bool) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	digits, ours := strings.CutPrefix(text, s.boot+"-")
	version, err := strconv.ParseUint(digits, 10, 64)
	return version, ours && err == nil
}

// A viewer is a client that reads a stream.
type viewer struct {
	out     http.ResponseWriter
	control *http.ResponseController
}

// send fails if the viewer does not receive it in time.
func (v *viewer) send(events ...body) error {
	size := 0
	for _, e := range events {
		size += e.Len()
	}
	patience := writeTimeout + time.Duration(size/slowest)*time.Second
	if err := v.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	for _, e := range events {
		if _, err := e.WriteTo(v.out); err != nil {
			return err
		}
	}
	return v.control.Flush()
}
