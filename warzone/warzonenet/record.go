package warzonenet

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/warzone"
)

// The rolls of Games. Lists of the deployed protocol begin with the games of
// earlier versions, as older clients see only the first few.
const (
	rollEarlier = iota // of versions 2 and 3, 814 bytes
	rollCurrent        // all others, 814 bytes
	roll21             // for clients 2.1, 112 bytes
	roll20             // for clients 2.0, 112 bytes
	rollCount
)

// records are what the rolls show of a game, one after the other.
type records struct {
	all  []byte
	ends [rollCount]int
}

// write makes them those of e. It reuses their memory, also after an error.
func (r *records) write(e *Entry) error {
	r.all = r.all[:0]
	for i := range r.ends {
		var err error
		if r.all, err = e.appendRecord(r.all, i); err != nil {
			return err
		}
		r.ends[i] = len(r.all)
	}
	return nil
}

// of returns what a roll shows, nothing if it does not show the game.
func (r *records) of(roll int) []byte {
	from := 0
	if roll > 0 {
		from = r.ends[roll-1]
	}
	return r.all[from:r.ends[roll]]
}

// appendRecord appends what a roll shows of a game. It appends nothing if the
// roll does not show it.
func (e *Entry) appendRecord(dst []byte, roll int) ([]byte, error) {
	if e.Started {
		return dst, nil
	}
	switch version := e.Game.Version; {
	case roll == rollEarlier && isEarlier(version), roll == rollCurrent && !isEarlier(version):
		return e.versioned().AppendBinary(dst)
	case roll == roll21 && e.fitsRecord():
		return e.record(warzone.Layout21).AppendBinary(dst)
	case roll == roll20 && e.fitsRecord():
		return e.record(warzone.Layout20).AppendBinary(dst)
	}
	return dst, nil
}

func isEarlier(version uint32) bool {
	return version == warzone.Version2 || version == warzone.Version3
}

// fitsRecord tells whether clients 2.0 and 2.1 could join the game: they know
// no other port.
func (e *Entry) fitsRecord() bool {
	return e.Key.Addr().Is4() && e.Key.Port() == warzone.GamePortOf20
}

// record returns the game in a layout of 112 bytes.
func (e *Entry) record(l warzone.Layout) warzone.Game {
	g := e.Game
	g.Layout = l
	g.Size = warzone.SizeOfRecord
	return g.Fit()
}

// versioned returns the game in a layout of 814 bytes: that of its host's
// version, or that of version 4 if it has none.
func (e *Entry) versioned() warzone.Game {
	g := e.Game
	g.Layout = warzone.LayoutVersioned
	if g.Version == 0 {
		g.Version = warzone.Version4
		g.Size = warzone.SizeOfGame
	}
	if g.Size == 0 {
		g.Size = warzone.SizeOfGame // clients hide a game with 0
	}
	if g.Version == warzone.Version2 {
		g.GameID = warzone.Filler1
	}
	g.HostPort = e.Key.Port()
	return g.Fit()
}

// joinable tells whether players can be sent to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}
