package main

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// adminHandler serves the admin actions. Operators connect over the unix socket or
// present the token.
func (f *fronts) adminHandler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, do func(r *http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxAdminBody)
			answer, err := do(r)
			status := http.StatusOK
			if err != nil {
				refused := adminRefusal{Error: err.Error()}
				status = http.StatusBadRequest
				if errors.Is(err, ban.ErrNotSaved) {
					status = http.StatusInternalServerError
				}
				if confirm := new(confirmError); errors.As(err, &confirm) {
					refused.Asks, status = confirm.asks, http.StatusConflict
				}
				answer = refused
			}
			writeJSON(w, status, answer)
		})
	}
	handle("GET /status", func(*http.Request) (any, error) { return f.status(), nil })
	handle("GET /explain", f.adminExplain)
	handle("GET /bans", func(*http.Request) (any, error) { return f.rules.list(), nil })
	handle("GET /list", f.adminList)
	handle("POST /ban", f.adminBan)
	handle("POST /unban", f.adminUnban)
	handle("POST /reload", func(*http.Request) (any, error) {
		err := f.reload()
		return f.status(), err
	})
	handle("POST /drain", func(*http.Request) (any, error) { return f.adminMove(ready, draining) })
	handle("POST /undrain", func(*http.Request) (any, error) { return f.adminMove(draining, ready) })
	handle("POST /loglevel", f.adminLogLevel)
	if f.config.Admin.PProf {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return onlyOperators(f.config.Admin.token, mux)
}

// An adminRefusal is the answer to a request that was not done.
type adminRefusal struct {
	Error string   `json:"error"`
	Asks  []string `json:"asks,omitempty"` // what the operator has to confirm, with status 409
}

// maxAdminBody is the maximum size of a request.
const maxAdminBody = 4 << 10

// onlyOperators refuses requests that neither arrive over the unix socket, which file
// permissions protect, nor have the token.
func onlyOperators(token string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		overUnix := at != nil && at.Network() == "unix"
		given, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		knows := token != "" && bearer && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
		if !overUnix && !knows {
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeJSON(w, http.StatusUnauthorized,
				map[string]string{"error": "the token of the operator is missing or wrong"})
			return
		}
		h.ServeHTTP(w, r)
	})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
}

func readJSON(r *http.Request, v any) error {
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	return in.Decode(v)
}

// adminMove changes to a phase, if the current one is the phase before it or that
// phase itself.
func (f *fronts) adminMove(from, to phase) (any, error) {
	if !f.ready.move(from, to) && f.ready.get() != to {
		return nil, errors.New("lobbyd is " + f.ready.get().String())
	}
	f.log.Info(to.String(), "by", "admin")
	return f.status(), nil
}

func (f *fronts) adminLogLevel(r *http.Request) (any, error) {
	var q struct{ Level slog.Level }
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	f.level.Set(q.Level)
	return f.status(), nil
}
