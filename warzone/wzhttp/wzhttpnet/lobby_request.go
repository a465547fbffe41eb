package wzhttpnet

import (
	"errors"
	"io"
	"net/http"
	"net/netip"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A lobbyRequest is a request within the limits, except for the list.
type lobbyRequest struct {
	*http.Request
	from netip.Addr
	id   uint32 // of the game; 0 if the path contains no possible id
	body []byte
}

// maxRequest is the size of the longest request, in bytes. Requests of the game have a few
// hundred.
const maxRequest = 64 << 10

// bodyOptions returns the options for decoding requests.
func bodyOptions() wzhttp.Options { return wzhttp.Options{MaxBody: maxRequest} }

// readBody reads the body of a request. The http.Server sets the deadlines.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return nil, errLongRequest
	}
	if err != nil {
		return nil, errIncomplete
	}
	return body, nil
}
