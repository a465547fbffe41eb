package warzonenet

import (
	"errors"
	"fmt"
)

// Errors of requests.
var (
	errNoName     = errors.New("warzonenet: the game has no name")
	errFilter     = errors.New("warzonenet: the filter has too many elements")
	errFilterRate = errors.New("warzonenet: too many lists with a filter")
)

// reason returns the text for a host that reports an error of Games.
func reason(err error) string {
	var full *fullError
	switch {
	case errors.Is(err, errNoName):
		return "Your game has no name."
	case errors.Is(err, errFilter):
		return fmt.Sprintf("The filter has more than %d elements.", maxFilter)
	case errors.Is(err, errFilterRate):
		return "You request too many lists with a filter. Wait a second, or request all games."
	case errors.As(err, &full):
		return full.text()
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
