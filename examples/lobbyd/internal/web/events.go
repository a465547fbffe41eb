package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// writeTimeout is how long a viewer may take for what is sent at once.
	writeTimeout = 20 * time.Second

	// quiet is how long a stream may be silent. A comment then shows whether the
	// viewer is still there, and keeps proxies from closing it.
	quiet = 15 * time.Second
)

// Viewers come back after a time between these, in milliseconds, so that not all
// come at once when a node starts again.
const (
	minRetry = 1000
	maxRetry = 5000
)

func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	open(h)
	source := sourceOf(r)
	if !s.enter(source) {
		h.Set("Retry-After", "10")
		http.Error(w, "too many streams", http.StatusServiceUnavailable)
		return
	}
	defer s.streams.leave(source)
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // of nginx
	if r.Method == http.MethodHead {
		return
	}
	v := viewer{out: w, control: http.NewResponseController(w)}
	if err := v.send([]byte("retry: " + strconv.Itoa(minRetry+rand.N(maxRetry-minRetry)) + "\n\n")); err != nil {
		return
	}
	s.show(&v, r)
}

// show sends events until the viewer has gone, was too slow, or all end.
func (s *Server) show(v *viewer, r *http.Request) {
	version, knows := s.lastVersion(r)
	next, state, resumed := s.feed.join(version, knows)
	first := [][]byte{state}
	if !resumed {
		snapshot := s.Catalogue.Snapshot()
		list := s.all.get(s.boot, snapshot)
		version = snapshot.Version
		first = append(first, event("snapshot", list.version, list.body))
	}
	if v.send(first...) != nil {
		return
	}
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		frames, grown, ok := s.feed.read(next)
		if !ok {
			return
		}
		next += uint64(len(frames))
		var events [][]byte
		for _, f := range frames {
			if f.version == 0 || f.version > version {
				events = append(events, f.bytes)
				version = max(version, f.version)
			}
		}
		if len(events) > 0 {
			if v.send(events...) != nil {
				return
			}
			timer.Reset(quiet)
			continue
		}
		select {
		case <-grown:
		case <-timer.C:
			if v.send([]byte(":\n\n")) != nil {
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

// lastVersion returns the version that a viewer says it has, if it has one of
// this process.
func (s *Server) lastVersion(r *http.Request) (version uint64, knows bool) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	digits, ours := strings.CutPrefix(text, s.boot+"-")
	version, err := strconv.ParseUint(digits, 10, 64)
	return version, ours && err == nil
}

// A viewer reads a stream.
type viewer struct {
	out     http.ResponseWriter
	control *http.ResponseController
}

// send fails if the viewer does not take it in time.
func (v *viewer) send(events ...[]byte) error {
	if err := v.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("web: streams need a deadline: %w", err)
	}
	for _, e := range events {
		if _, err := v.out.Write(e); err != nil {
			return err
		}
	}
	return v.control.Flush()
}
