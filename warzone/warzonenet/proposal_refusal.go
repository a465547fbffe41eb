package warzonenet

import "errors"

// Errors of requests of the proposals.
var (
	errNoName = errors.New("warzonenet: a game without a name")
	errFilter = errors.New("warzonenet: a filter with too many objects")
)

// reason returns the text that tells a host about an error of Games.
func reason(err error) string {
	switch {
	case errors.Is(err, errNoName):
		return "The game has no name."
	case errors.Is(err, errFilter):
		return "The filter has too many objects."
	case errors.Is(err, ErrFull):
		return "There are too many games from your address, or in all."
	case errors.Is(err, ErrTaken):
		return "Another game is listed at your address and port."
	case errors.Is(err, ErrGone):
		return "No such game is listed."
	}
	return "The game cannot be listed."
}
