package warzonenet

import (
	"net/netip"
	"strings"

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
	g := &e.Game
	return warzone.Game{
		Layout:         l,
		Name:           warzone.Clip(g.Name, warzone.MaxName),
		Size:           warzone.SizeOfRecord,
		Flags:          g.Flags,
		Host:           g.Host,
		MaxPlayers:     g.MaxPlayers,
		CurrentPlayers: g.CurrentPlayers,
		UserFlags:      g.UserFlags,
	}
}

// versioned returns the game in a layout of 814 bytes: that of its host or, if
// it has none, that of version 4, which tells the port.
func (e *Entry) versioned() warzone.Game {
	g := e.Game
	if g.Version == 0 {
		g.Version = warzone.Version4
		g.Layout = warzone.LayoutVersioned
		g.Size = warzone.SizeOfGame
	}
	if g.Size == 0 {
		g.Size = warzone.SizeOfGame // clients do not show a game with 0
	}
	g.Name = warzone.Clip(g.Name, warzone.MaxName)
	g.Misc = warzone.Clip(g.Misc, warzone.MaxMisc)
	g.Extra = warzone.Clip(g.Extra, maxExtra(&g))
	g.MapName = warzone.Clip(g.MapName, warzone.MaxMapName)
	g.HostName = warzone.Clip(g.HostName, warzone.MaxHostName)
	g.VersionString = warzone.Clip(g.VersionString, warzone.MaxVersionString)
	g.ModList = warzone.Clip(g.ModList, warzone.MaxModList)
	switch g.Version {
	case warzone.Version2:
		g.GameID = warzone.Filler1
	case warzone.Version4:
		g.HostPort = e.Key.Port()
	}
	return g
}

// maxExtra returns how many bytes the text Extra of a game may have.
func maxExtra(g *warzone.Game) int {
	switch {
	case g.Version == warzone.Version2:
		return 254
	case g.Version == warzone.Version3:
		return 158 // those who read a list take 2.3 for later versions
	}
	return warzone.MaxExtra
}

// compact puts the texts of a game into memory of their own: as they come they
// are parts of all that was read.
func compact(g *warzone.Game) {
	texts := [...]*string{
		&g.Name, &g.Host, &g.Misc, &g.SecondaryHosts[0], &g.SecondaryHosts[1], &g.Extra,
		&g.MapName, &g.HostName, &g.VersionString, &g.ModList,
	}
	size := 0
	for _, text := range texts {
		size += len(*text)
	}
	var all strings.Builder
	all.Grow(size)
	for _, text := range texts {
		all.WriteString(*text)
	}
	rest := all.String()
	for _, text := range texts {
		n := len(*text)
		*text, rest = rest[:n], rest[n:]
	}
}

// joinable tells whether players can be sent to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}
