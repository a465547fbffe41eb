package warzonenet

import (
	"errors"
	"fmt"
	"net/netip"
)

// A requestError is an error with a text for the peer whose request has failed.
type requestError struct {
	error
	text string
}

// Unwrap returns the error without the text.
func (e *requestError) Unwrap() error { return e.error }

// Errors of requests.
var (
	errNoName = &requestError{errors.New("warzonenet: the game has no name"), "Your game has no name."}
	errFilter = &requestError{errors.New("warzonenet: the filter has too many elements"),
		fmt.Sprintf("The filter has more than %d elements.", maxFilter)}
	errFilterRate = &requestError{errors.New("warzonenet: too many lists with a filter"),
		"You request too many lists with a filter. Wait a second, or request all games."}
)

// fullLocked returns ErrFull with the limit that keeps a game at an address from being
// listed.
func (g *Games) fullLocked(key netip.AddrPort) error {
	t := &g.table
	limit, allowed, whose := "MaxGames", t.Max, "in this lobby"
	switch ofAddress, ofPrefix := t.Counts(key.Addr()); {
	case ofAddress >= t.MaxPerAddress:
		limit, allowed, whose = "MaxPerAddress", t.MaxPerAddress, "from your address"
	case ofPrefix >= t.MaxPerPrefix:
		limit, allowed, whose = "MaxPerPrefix", t.MaxPerPrefix, "from your network"
	}
	return &requestError{
		fmt.Errorf("%w: %s is %d", ErrFull, limit, allowed),
		fmt.Sprintf("There are too many games %s: %d are allowed.", whose, allowed),
	}
}

// reason returns the text for a peer whose request has failed.
func reason(err error) string {
	if e, ok := errors.AsType[*requestError](err); ok {
		return e.text
	}
	switch {
	case errors.Is(err, ErrTaken):
		return "Another game is listed at your address and port."
	case errors.Is(err, ErrGone):
		return "No such game is listed."
	}
	return "Your game cannot be listed."
}

// maxReason is the length of the longest text in an Error, in bytes, so that each
// proposal can carry it.
const maxReason = 200
