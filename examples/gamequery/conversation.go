package main

import (
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/sqp"
)

// A conversation is what two addresses say to each other in a dialect.
type conversation struct {
	name              string // of the dialect
	server            netip.AddrPort
	requests, answers []format

	options options // for answers: what the last request asked for
	asked   bool    // the last request was understood
}

// newConversation returns a conversation that nothing is known of.
func newConversation(d dialect, server netip.AddrPort, all []format) *conversation {
	return &conversation{
		name:     d.name,
		server:   server,
		requests: named(all, d.requests),
		answers:  named(all, d.answers),
		options:  defaultOptions(),
	}
}

// named returns the formats with names that exist.
func named(all []format, names []string) []format {
	formats := make([]format, len(names))
	for i, name := range names {
		formats[i], _ = find(all, name)
	}
	return formats
}

// read finds the format of what one side sent. What follows may depend on it.
func (c *conversation) read(s capture.Sent) reading {
	if s.To != c.server {
		r := c.find(c.candidates(), s)
		if r.whole && r.name == "gamespy2.ChallengeResponse" {
			c.options.challenge = true
		}
		return r
	}
	r := c.find(c.requests, s)
	if c.asked = r.whole; r.whole {
		c.learn(r.format, s.Data)
	}
	return r
}

// candidates returns the formats that an answer can have. Some do not say what
// they hold, so they need the request.
func (c *conversation) candidates() []format {
	if c.asked {
		return c.answers
	}
	return slices.DeleteFunc(slices.Clone(c.answers), func(f format) bool {
		return f.name == "sqp.QueryResponse" || f.name == "gamespy2.Values"
	})
}

// find returns the first reading that fits what was sent. If none does, it is
// the one that gets furthest.
func (c *conversation) find(formats []format, s capture.Sent) (best reading) {
	for i, f := range formats {
		r := f.try(s, c.options)
		if r.fits() {
			return r
		}
		if i == 0 || r.reach > best.reach {
			best = r
		}
	}
	return best
}

// learn takes from a request what is to answer it, and how to read that.
func (c *conversation) learn(f format, request []byte) {
	switch f.name {
	case "sqp.Request":
		if q, err := sqp.ParseQueryRequest(request); err == nil {
			c.options.chunks = q.Chunks
		}
	case "gamespy2.BasicStatRequest":
		c.expect("gamespy2.BasicStat")
	case "gamespy2.Request":
		c.learnGameSpy2(request)
	case "gameagent.ToServer":
		if q, err := gameagent.ParseLegacyRequest(request); err == nil {
			c.expect([]string{"gameagent.LegacyStatus", "gameagent.LegacyInfo",
				"gameagent.LegacyBasic", "gameagent.LegacyPlayers"}[q.Query])
			return
		}
		c.expect("gameagent.FromServer")
	}
}

func (c *conversation) learnGameSpy2(request []byte) {
	q, err := gamespy2Options(c.options).ParseRequest(request)
	if err != nil {
		return
	}
	c.options.keys, c.options.part, c.options.sections = 0, q.Split(), 0
	switch {
	case q.Split():
		c.expect("gamespy2.Response")
	case q.Info.Len() > 0:
		c.options.keys = q.Info.Len()
		c.expect("gamespy2.Values")
	default:
		c.options.sections = q.Sections()
		c.expect("gamespy2.Response")
	}
}

// expect tries the format of that name first, except that challenges stay in
// front of it.
func (c *conversation) expect(name string) {
	place := func(f format) int {
		switch f.name {
		case "gamespy2.ChallengeResponse":
			return 0
		case name:
			return 1
		}
		return 2
	}
	c.answers = slices.Clone(c.answers)
	slices.SortStableFunc(c.answers, func(a, b format) int { return place(a) - place(b) })
}
