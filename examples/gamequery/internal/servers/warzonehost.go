package servers

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A Release is a release of the game whose hosts have their own format of games.
type Release struct {
	name   string // value of -release
	layout warzone.Layout
	word   uint32 // the version word, or 0
}

// releases returns the releases, the default last.
func releases() []Release {
	return []Release{
		{"2.0", warzone.Layout20, 0},
		{"2.1", warzone.Layout21, 0},
		{"2.2", warzone.LayoutVersioned, warzone.Version2},
		{"2.3", warzone.Layout23, warzone.Version3},
		{"3.0", warzone.LayoutVersioned, warzone.Version3},
		{"4.0", warzone.LayoutVersioned, warzone.Version4},
	}
}

// ReleaseOf returns the release with a name.
func ReleaseOf(name string) (Release, bool) {
	for _, r := range releases() {
		if r.name == name {
			return r, true
		}
	}
	return Release{}, false
}

// ReleaseNames returns the names of the releases in readable form.
func ReleaseNames() string {
	var names []string
	for _, r := range releases() {
		names = append(names, r.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// game returns a game as hosts of the release announce it.
func (r Release) game(g Game) warzone.Game {
	all := warzone.Game{
		Layout:         r.layout,
		Version:        r.word,
		Name:           g.Name,
		MaxPlayers:     uint32(g.MaxPlayers),
		CurrentPlayers: uint32(g.Players),
		UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish)},
		Extra:          "Extra",
		HostPort:       g.At.Port(),
		MapName:        g.Level,
		HostName:       playerName(0),
		VersionString:  g.Version,
	}
	switch r.word {
	case warzone.Version2:
		all.Misc, all.ModList = "Misc data", "Mod list"
		all.GameID = warzone.Filler + 1
		fallthrough
	case warzone.Version3:
		all.Limits, all.OS, all.NetcodeWord = warzone.Filler+2, warzone.Filler+3, warzone.Filler+4
	}
	// Fields that the release lacks are cleared; a text that is too long is refused.
	carried := all.Fit()
	for _, text := range []struct{ carried, all *string }{
		{&carried.Name, &all.Name}, {&carried.MapName, &all.MapName},
		{&carried.HostName, &all.HostName}, {&carried.VersionString, &all.VersionString},
	} {
		if *text.carried != "" {
			*text.carried = *text.all
		}
	}
	return carried
}

// NewWarzone returns a test host of Warzone 2100.
func NewWarzone(g Game) (Server, error) {
	lobby := g.Masters[0]
	if targets.IsURL(lobby) {
		return NewWarzoneHTTP(g)
	}
	r, _ := ReleaseOf(g.Release)
	announced := r.game(g)
	var note string
	if port := announced.JoinPort(); port != g.At.Port() {
		note = fmt.Sprintf("lobbies look for games of %s at port %d, not %d", r.name, port, g.At.Port())
	}
	h := &warzonenet.Host{Addr: lobby}
	h.ListensAt(g.listener())
	h.Changed = newNotices(g.Messages).standing("lobby "+lobby, func() string {
		return fmt.Sprintf("game %d: %s", h.Answer().GameID, StatusText(h.Answer().Status))
	})
	err := h.Set(announced)
	return Server{
		Note:     note,
		accept:   h.ServeAlive,
		shutdown: func(context.Context) error { return h.Close() },
		Stats: func() string {
			s := h.Stats()
			return fmt.Sprintf("connected %d times, sent %d announcements and updates, %d keeps", s.Connects, s.Sent,
				s.Keeps)
		},
		register: func(ctx context.Context, _ net.PacketConn) error { return h.Run(ctx) },
	}, badState(err)
}

// StatusText returns a status on one line.
func StatusText(s warzone.Status) string {
	text := strconv.FormatUint(uint64(s.Code), 10) + " " + s.Code.String()
	if said := terminal.Clean(s.Text); said != "" {
		text += ", " + said
	}
	return text
}
