package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/registrations"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/servers"
)

// A Status describes the sidecar.
type Status struct {
	State     StateStatus            `json:"state"`
	Protocols []servers.Status       `json:"protocols"`
	Masters   []registrations.Status `json:"masters"`
}

// A StateStatus describes the reports of the game.
type StateStatus struct {
	From    string     `json:"from"`           // where the game reports
	Health  Health     `json:"health"`         // whether it does
	Heard   *time.Time `json:"heard,omitzero"` // the last report
	Tag     string     `json:"tag"`            // of the state, as in the header ETag
	Changes uint64     `json:"changes"`        // reports that differed from the one before
	Refused uint64     `json:"refused"`        // reports with an error
	Error   string     `json:"error,omitzero"` // of the last report, if it was refused
}

// Health states whether the game reports its state.
type Health string

// The values of Health.
const (
	Waiting Health = "waiting" // for the first report
	Fresh   Health = "fresh"
	Stale   Health = "stale" // no report for the time of -stale
)

func (s *Server) getStatus(w http.ResponseWriter, _ *http.Request) {
	text, _ := json.Marshal(s.Status()) // cannot fail: it has only texts, numbers and times
	answer(w, http.StatusOK, text)
}

// getHealth answers with 200 while the game reports its state, otherwise with 503.
func (s *Server) getHealth(w http.ResponseWriter, _ *http.Request) {
	health := s.Status().State.Health
	code := http.StatusOK
	if health != Fresh {
		code = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(health + "\n"))
}
