package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	now := s.State.Now()
	w.Header().Set("ETag", quoted(now.Tag))
	if tags := r.Header.Get("If-None-Match"); tags != "" && names(tags, now.Tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	answer(w, http.StatusOK, now.Text)
}

func (s *Server) putState(w http.ResponseWriter, r *http.Request) {
	s.report(w, r, func(_ state.Snapshot, body []byte) (lobbywire.View, error) { return state.Parse(body) })
}

func (s *Server) patchState(w http.ResponseWriter, r *http.Request) {
	s.report(w, r, func(now state.Snapshot, body []byte) (lobbywire.View, error) { return state.Patch(now.View, body) })
}

// report replaces the state by the result of change, which gets the body of the request.
func (s *Server) report(w http.ResponseWriter, r *http.Request,
	change func(now state.Snapshot, body []byte) (lobbywire.View, error),
) {
	body, done, err := s.body(w, r)
	defer done()
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a state has at most %d bytes", state.MaxText))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body did not arrive")
		return
	}
	now, err := s.State.Report(func(now state.Snapshot) (lobbywire.View, error) {
		if tags := r.Header.Get("If-Match"); tags != "" && !names(tags, now.Tag) {
			return lobbywire.View{}, state.ErrChanged
		}
		return change(now, body)
	})
	w.Header().Set("ETag", quoted(now.Tag))
	switch {
	case errors.Is(err, state.ErrChanged):
		refuse(w, http.StatusPreconditionFailed, err.Error())
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, code int, why string) {
	text, _ := json.Marshal(struct {
		Error string `json:"error"`
	}{why}) // cannot fail
	answer(w, code, text)
}

func quoted(tag string) string { return `"` + tag + `"` }

// names reports whether a header lists a tag or all tags. Tags are digits and letters, so
// they contain no comma.
func names(header, tag string) bool {
	for listed := range strings.SplitSeq(header, ",") {
		listed = strings.TrimPrefix(strings.TrimSpace(listed), "W/")
		if listed == "*" || listed == quoted(tag) {
			return true
		}
	}
	return false
}
