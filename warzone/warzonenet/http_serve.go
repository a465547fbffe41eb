package warzonenet

import (
	"encoding"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An httpRequest is a request that is within the limits.
type httpRequest struct {
	*http.Request
	from netip.Addr
	id   string // of the game, in paths that have one
	body []byte
}

// An httpAnswer is an answer that is not an HTTPError.
type httpAnswer struct {
	status int
	body   encoding.BinaryAppender
}

// httpOptions returns the options for decoding requests.
func httpOptions() wzhttp.Options { return wzhttp.Options{MaxBody: wzhttp.MaxRequest} }

// ServeHTTP answers clients and hosts.
func (l *HTTPLobby) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.once.Do(l.init)
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	endpoint, id, ok := wzhttp.EndpointOf(method, r.URL.Path)
	if !ok {
		l.refuse(w, errUnknownPath)
		return
	}
	from, err := l.admit(r, endpoint)
	if err != nil {
		l.refuse(w, err)
		return
	}
	if endpoint == wzhttp.EndpointList {
		l.serveList(w, r)
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		l.refuse(w, err)
		return
	}
	answer, err := l.answer(&httpRequest{r, from, id, body}, endpoint)
	if err != nil {
		l.refuse(w, err)
		return
	}
	l.send(w, answer)
}

// admit returns the address of the client, or an error if the request must not
// be answered now.
func (l *HTTPLobby) admit(r *http.Request, endpoint wzhttp.Endpoint) (netip.Addr, *HTTPError) {
	from, ok := l.clientOf(r)
	switch {
	case !ok:
		return from, errClient
	case !l.isReady():
		return from, errNotReady
	case !l.allow(endpoint, from):
		l.stats.limited.Add(1)
		return from, errRate
	}
	return from, nil
}

func (l *HTTPLobby) isReady() bool {
	l.mu.Lock()
	closed := l.closed
	l.mu.Unlock()
	return !closed && (l.Ready == nil || l.Ready())
}

// readBody returns the body of a request. The http.Server sets the deadlines.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, *HTTPError) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wzhttp.MaxRequest))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return nil, &HTTPError{Status: http.StatusRequestEntityTooLarge, Code: codeBadRequest, Message: "The request is too long."}
	}
	if err != nil {
		return nil, badRequest("The request is not complete.")
	}
	return b, nil
}

// answer carries out a request other than that for the list.
func (l *HTTPLobby) answer(r *httpRequest, endpoint wzhttp.Endpoint) (httpAnswer, *HTTPError) {
	switch endpoint {
	case wzhttp.EndpointCreate:
		return l.create(r)
	case wzhttp.EndpointJoin:
		return l.join(r)
	}
	game, err := l.authorized(r)
	if err != nil {
		return httpAnswer{}, err
	}
	switch endpoint {
	case wzhttp.EndpointConnection:
		return l.connect(r, game)
	case wzhttp.EndpointPatch:
		return l.patch(r, game)
	case wzhttp.EndpointDelete:
		return l.remove(game)
	}
	return l.checkJoin(r, game)
}

// send sends an answer.
func (l *HTTPLobby) send(w http.ResponseWriter, a httpAnswer) {
	body, err := a.body.AppendBinary(nil)
	if err != nil {
		a.status, body = http.StatusInternalServerError, nil
	}
	write(w, a.status, body)
}

// refuse sends an error.
func (l *HTTPLobby) refuse(w http.ResponseWriter, e *HTTPError) {
	if e.Status == http.StatusBadRequest || e.Status == http.StatusUnauthorized || e.Status == http.StatusRequestEntityTooLarge {
		l.stats.malformed.Add(1)
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
	body, err := e.appendBody(nil)
	if err != nil {
		body = nil // the caller's error cannot be encoded as JSON
	}
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
