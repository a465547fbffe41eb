package warzonenet

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/warzone"
)

// The sections of Games. Lists of 814-byte games begin with games of earlier
// versions, because older clients see only the first few games.
const (
	sectionEarlier = iota // of versions 2 and 3, 814 bytes
	sectionCurrent        // of all other versions, 814 bytes
	section21             // for clients 2.1, 112 bytes
	section20             // for clients 2.0, 112 bytes
	sectionCount
)

// records has the records of a game in all sections, one after the other.
type records struct {
	port uint16 // of games in the 112-byte layouts
	all  []byte
	ends [sectionCount]int
}

// write sets the records to those of e. It reuses their memory, even after an
// error.
func (r *records) write(e *Entry) error {
	r.all = r.all[:0]
	for i := range r.ends {
		var err error
		if r.all, err = e.appendRecord(r.all, i, r.port); err != nil {
			return err
		}
		r.ends[i] = len(r.all)
	}
	return nil
}

// of returns the record for a section, or nothing if the section does not have
// the game.
func (r *records) of(section int) []byte {
	from := 0
	if section > 0 {
		from = r.ends[section-1]
	}
	return r.all[from:r.ends[section]]
}

// appendRecord appends the record of a game for a section, or nothing if the
// section does not have the game.
func (e *Entry) appendRecord(dst []byte, section int, port uint16) ([]byte, error) {
	if e.Started {
		return dst, nil
	}
	switch version := e.Game.Version; {
	case section == sectionEarlier && isEarlier(version), section == sectionCurrent && !isEarlier(version):
		return e.versioned().AppendBinary(dst)
	case section == section21 && e.fitsRecord(port):
		return e.record(warzone.Layout21).AppendBinary(dst)
	case section == section20 && e.fitsRecord(port):
		return e.record(warzone.Layout20).AppendBinary(dst)
	}
	return dst, nil
}

func isEarlier(version uint32) bool {
	return version == warzone.Version2 || version == warzone.Version3
}

// fitsRecord reports whether clients 2.0 and 2.1, which know only one port, could
// join the game.
func (e *Entry) fitsRecord(port uint16) bool {
	return e.Key.Addr().Is4() && e.Key.Port() == port
}

// record returns the game in a layout of 112 bytes.
func (e *Entry) record(l warzone.Layout) warzone.Game {
	g := e.Game
	g.Layout = l
	g.Size = warzone.SizeOfRecord
	return g.Fit()
}

// versioned returns the game in a layout of 814 bytes: the layout of its host's
// version, or of version 4 if it has no version.
func (e *Entry) versioned() warzone.Game {
	g := e.Game
	g.Layout = warzone.LayoutVersioned
	if g.Version == 0 {
		g.Version = warzone.Version4
		g.Size = warzone.SizeOfGame
	}
	if g.Size == 0 {
		g.Size = warzone.SizeOfGame // clients hide games with size 0
	}
	if g.Version == warzone.Version2 {
		g.GameID = warzone.Filler + 1
	}
	g.HostPort = e.Key.Port()
	if second := e.HTTP.Second; second.IsValid() && second.Port() == g.HostPort {
		g.SecondaryHosts[0] = second.Addr().String()
	}
	return g.Fit()
}

// joinable reports whether players can connect to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}
