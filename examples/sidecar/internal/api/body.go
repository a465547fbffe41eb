package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// The memory for bodies is bounded: a small part of each is read at once, and the rest of only
// some at a time. A game whose state is small never waits.
const (
	smallBody = 16 << 10
	maxLarge  = 4
	busyTime  = 5 * time.Second // how long a body waits: then readTime still suffices to read it
)

// errBusy means that a body has waited too long for the bodies of other requests.
var errBusy = errors.New("too many large states arrive at the same time")

// body reads the body of a request, up to state.MaxText bytes. Call done when it is no longer
// needed.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	in := http.MaxBytesReader(w, r.Body, state.MaxText)
	done = func() {}
	body, err = io.ReadAll(io.LimitReader(in, smallBody))
	if err != nil || len(body) < smallBody {
		return body, done, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), busyTime)
	defer cancel()
	select {
	case s.large <- struct{}{}:
	case <-ctx.Done():
		return nil, done, errBusy
	}
	done = func() { <-s.large }
	rest, err := io.ReadAll(in)
	return append(body, rest...), done, err
}
