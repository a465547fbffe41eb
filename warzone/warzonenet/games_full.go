package warzonenet

import (
	"fmt"
	"net/netip"
)

// A fullError wraps ErrFull with the limit that was reached.
type fullError struct {
	limit   string // the field of Games
	allowed int
	whose   string // whose games it limits, for the host
}

// Error names the limit.
func (e *fullError) Error() string { return fmt.Sprintf("%v: %s is %d", ErrFull, e.limit, e.allowed) }

// Unwrap returns ErrFull.
func (e *fullError) Unwrap() error { return ErrFull }

// text returns the error for the host.
func (e *fullError) text() string {
	return fmt.Sprintf("There are too many games %s: %d are allowed.", e.whose, e.allowed)
}

// fullLocked returns the limit that keeps a game at an address from being
// listed, as an error.
func (g *Games) fullLocked(key netip.AddrPort) error {
	ofAddress, ofPrefix := g.table.Counts(key.Addr())
	switch t := &g.table; {
	case ofAddress >= t.MaxPerAddress:
		return &fullError{"MaxPerAddress", t.MaxPerAddress, "from your address"}
	case ofPrefix >= t.MaxPerPrefix:
		return &fullError{"MaxPerPrefix", t.MaxPerPrefix, "from your network"}
	}
	return &fullError{"MaxGames", g.table.Max, "in this lobby"}
}
