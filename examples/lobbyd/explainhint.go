package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
)

// maxHinted is the number of games that gamesHint names.
const maxHinted = 8

// gamesHint says which games a master lists, if it does not list one.
func (l *lists) gamesHint(r refusals.Refusal) string {
	if r.Reason != lobbywire.ReasonGame {
		return ""
	}
	games := l.masters.gamesOf(r.Server)
	slices.Sort(games)
	hint := ""
	if near := cli.Nearest(strings.ToLower(r.Game), games); near != "" {
		hint = "did you mean " + near + "? "
	}
	more := len(games) - maxHinted
	switch {
	case len(games) == 0:
		return "no game is configured for this master"
	case more > 0:
		return fmt.Sprintf("%sserved here are %s and %d more", hint, strings.Join(games[:maxHinted], ", "), more)
	}
	return hint + "served here: " + strings.Join(games, ", ")
}

// againHint says when lobbyd asks a server again that has not answered.
func againHint(r refusals.Refusal, now time.Time) string {
	switch r.Reason {
	case lobbywire.ReasonUnreachable, lobbywire.ReasonOther, lobbywire.ReasonKey:
	default:
		return ""
	}
	after := "when its host announces it again"
	if slices.Contains([]string{"gameagent", "gamespy"}, r.Server) {
		after = "with its next heartbeat"
	}
	every := r.Last.Sub(r.Before)
	if next := r.Last.Add(every); !r.Before.IsZero() && every < maxEvery && next.After(now) {
		after += ", probably at " + clock(next)
	}
	return "lobbyd asks again " + after
}

// maxEvery is more than the time between two heartbeats of any game.
const maxEvery = 5 * time.Minute
