package wzhttpnet

import (
	"errors"
	"io"
	"net/http"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/forwarded"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A lobbyRequest is a request within the limits. The list does not need one.
type lobbyRequest struct {
	*http.Request
	from netip.Addr
	id   string // of the game, in paths that have one
	body []byte
}

// bodyOptions returns the options for decoding requests.
func bodyOptions() wzhttp.Options { return wzhttp.Options{MaxBody: wzhttp.MaxRequest} }

// readBody reads the body of a request. The http.Server sets the deadlines.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wzhttp.MaxRequest))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return nil, errLongRequest
	}
	if err != nil {
		return nil, errIncomplete
	}
	return body, nil
}

// clientOf returns the address of the client of a request, which may be behind trusted
// proxies. If a trusted proxy has not named it, ok is false.
func (l *Lobby) clientOf(r *http.Request) (client netip.Addr, ok bool) {
	return forwarded.Client(r, l.TrustedProxies)
}
