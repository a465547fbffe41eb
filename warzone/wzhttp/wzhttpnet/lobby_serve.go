package wzhttpnet

import (
	"encoding"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An lobbyRequest is a request that is within the limits.
type lobbyRequest struct {
	*http.Request
	from netip.Addr
	id   string // of the game, in paths that have one
	body []byte
}

// bodyOptions returns the options for decoding requests.
func bodyOptions() wzhttp.Options { return wzhttp.Options{MaxBody: wzhttp.MaxRequest} }

// ServeHTTP answers clients and hosts.
func (l *Lobby) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.once.Do(l.init)
	if err := l.serve(w, r); err != nil {
		l.refuse(w, refusalOf(err))
	}
}

func (l *Lobby) serve(w http.ResponseWriter, r *http.Request) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	endpoint, id, ok := wzhttp.EndpointOf(method, r.URL.Path)
	if !ok {
		return errUnknownPath
	}
	from, ok := l.clientOf(r)
	switch {
	case !ok:
		return errClient
	case !l.isReady():
		return errNotReady
	case !l.limiterOf(endpoint).Allow(from, time.Now()):
		l.counts.Add(&l.counts.Stats.Limited)
		return errRate
	case endpoint == wzhttp.EndpointList:
		l.serveList(w, r)
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wzhttp.MaxRequest)) // the http.Server sets the deadlines
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return errLongRequest
	}
	if err != nil {
		return errIncomplete
	}
	answer, err := l.answer(&lobbyRequest{r, from, id, body}, endpoint)
	if err != nil {
		return err
	}
	body, _ = answer.AppendBinary(nil) // cannot fail
	write(w, statusOf(endpoint), body)
	return nil
}

func (l *Lobby) isReady() bool {
	l.mu.Lock()
	closed := l.closed
	l.mu.Unlock()
	return !closed && (l.Ready == nil || l.Ready())
}

// limiterOf returns the limiter of the requests to an endpoint.
func (l *Lobby) limiterOf(e wzhttp.Endpoint) *limit.Limiter {
	switch e {
	case wzhttp.EndpointList:
		return &l.lists
	case wzhttp.EndpointCreate, wzhttp.EndpointConnection:
		return &l.creates
	case wzhttp.EndpointJoin:
		return &l.joins
	}
	return &l.hosts
}

// answer carries out a request other than that for the list.
func (l *Lobby) answer(r *lobbyRequest, endpoint wzhttp.Endpoint) (encoding.BinaryAppender, error) {
	switch endpoint {
	case wzhttp.EndpointCreate:
		return l.create(r)
	case wzhttp.EndpointJoin:
		return l.join(r)
	}
	h, err := l.authorized(r)
	if err != nil {
		return nil, err
	}
	switch endpoint {
	case wzhttp.EndpointConnection:
		return l.connect(r, h)
	case wzhttp.EndpointPatch:
		return l.patch(r, h)
	case wzhttp.EndpointDelete:
		return l.remove(h), nil
	}
	return l.checkJoin(r, h)
}

// statusOf returns the HTTP status of an answer that is not an error.
func statusOf(e wzhttp.Endpoint) int {
	switch e {
	case wzhttp.EndpointCreate:
		return http.StatusCreated
	case wzhttp.EndpointConnection:
		return http.StatusAccepted
	}
	return http.StatusOK
}

// refuse sends an error.
func (l *Lobby) refuse(w http.ResponseWriter, e *Error) {
	if e.Status == http.StatusBadRequest || e.Status == http.StatusUnauthorized || e.Status == http.StatusRequestEntityTooLarge {
		l.counts.Add(&l.counts.Stats.Malformed)
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
	body, _ := wzhttp.Error{Code: e.Code, Message: e.Message, Data: e.Data}.AppendBinary(nil) // empty if AdmitJoin returned an invalid error
	write(w, e.Status, body)
}

func write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", wzhttp.AcceptJSON)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}
