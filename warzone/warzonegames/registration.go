package warzonegames

import (
	"math/rand/v2"
	"time"
)

// A registration is a game: announced, until its lobby has reached it, and then published.
type registration struct {
	entry  Entry
	number int       // in the table
	remote bool      // it belongs to another node
	shared time.Time // when this node last sent it to the Store
	stored bool      // the Store has received it
	check  check     // of a published game of this node
}

// yieldsTo reports whether e may replace a game at its Key. The clock of another node may
// be wrong, so a game of another node may always count as the older one.
func (reg *registration) yieldsTo(e *Entry) bool {
	isNewer := reg.remote || !reg.entry.Opened.After(e.Opened)
	return isNewer && (e.Source == reg.entry.Source || e.Source.replacesAny())
}

// A check is the state of the checks of a game.
type check struct {
	next    time.Time // when it is due
	running bool
	silent  int // checks in a row without an answer
}

// delay sets when the next check of a game is due.
func (c *check) delay(now time.Time, answers bool) {
	every := recheckEvery
	if answers {
		every = checkEvery
	}
	c.next = now.Add(every + rand.N(every/4))
}

// Times of checks. Each is up to a quarter longer, at random, so that checks are spread.
const (
	checkEvery   = 2 * time.Minute // while a game answers
	recheckEvery = time.Minute     // once it stops answering, and before the first check of a game that is not Verified
)

func (reg *registration) isDue(now time.Time) bool {
	return reg.entry.Published() && !reg.remote && !reg.check.running && !reg.entry.Started &&
		!now.Before(reg.check.next)
}
