package main

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
)

// A conversation is the messages between two addresses in a dialect.
type conversation struct {
	name     string // of the dialect
	server   netip.AddrPort
	requests []format

	expectation
	earlier map[string]expectation // by the ids of requests, up to maxEarlier
}

// An expectation describes the answer to a request.
type expectation struct {
	answers  []format // its possible formats, the likely ones first
	expected string   // its format, if the request determines it
	options  options  // from the request
	asked    bool     // the request was decoded
}

// maxEarlier limits the requests of a conversation that wait for answers. It is our
// choice.
const maxEarlier = 64

// newConversation returns a conversation without messages.
// o are the options that the user gave.
func newConversation(d dialect, server netip.AddrPort, all []format, o options) *conversation {
	return &conversation{
		name:        d.name,
		server:      server,
		requests:    named(all, d.requests),
		expectation: expectation{answers: named(all, d.answers), options: o},
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

// read finds the format of a message and prepares for the next one.
func (c *conversation) read(s capture.Sent) reading {
	if s.To != c.server {
		if e, ok := c.earlier[idOf(c.answers, s.Data)]; ok {
			e.options.challenge = c.options.challenge // it comes with an answer
			c.expectation = e
		}
		r := c.find(c.candidates(), s)
		if r.whole && r.name == "gamespy2.ChallengeResponse" {
			c.options.challenge = true
		}
		return r
	}
	r := c.find(c.requests, s)
	switch {
	case r.whole:
		c.asked = true
		c.learn(r.format, s.Data)
		c.remember(idOf([]format{r.format}, s.Data))
	case r.reach > 0: // a request, but a broken one
		c.asked = false
	}
	return r
}

// remember stores the expectation for a request with an ID.
func (c *conversation) remember(id string) {
	switch {
	case id == "":
		return
	case c.earlier == nil:
		c.earlier = make(map[string]expectation)
	case len(c.earlier) >= maxEarlier:
		clear(c.earlier)
	}
	c.earlier[id] = c.expectation
}

// idOf returns the ID of a gamespy2 message, which associates answers with requests,
// or "". The message is in one of several formats.
func idOf(formats []format, b []byte) string {
	for _, f := range formats {
		m, ok := f.codec.(member)
		if !ok || !strings.HasPrefix(f.name, "gamespy2.") {
			return ""
		}
		for _, field := range m.explanation(b, defaultOptions()).Fields {
			if field.Name == "id" {
				return string(b[field.Offset:][:field.Length])
			}
		}
	}
	return ""
}

// candidates returns the possible formats of an answer. Some need the request.
func (c *conversation) candidates() []format {
	return slices.DeleteFunc(slices.Clone(c.answers), func(f format) bool {
		switch f.name {
		case "sqp.QueryResponse":
			return !c.asked
		case "gamespy2.Values":
			return c.options.keys == 0
		}
		return false
	})
}

// find returns the best reading of a message: in the expected format, in a format
// that accepts all of it, or in one whose messages start like it. If there is none,
// it returns the reading that gets furthest, or the one in the expected format.
func (c *conversation) find(formats []format, s capture.Sent) (best reading) {
	rank := func(r reading) int {
		switch {
		case r.fits() && r.name == c.expected:
			return 3
		case r.whole:
			return 2
		case r.fits():
			return 1
		}
		return 0
	}
	var fitting []string
	for i, f := range formats {
		r := f.try(s, c.options)
		if r.fits() {
			fitting = append(fitting, r.name)
		}
		further := r.reach > best.reach && (best.name != c.expected || best.reach == 0)
		if i == 0 || rank(r) > rank(best) || rank(r)+rank(best) == 0 && further {
			best = r
		}
		if best.whole {
			return best
		}
	}
	best.or = slices.DeleteFunc(fitting, func(name string) bool { return name == best.name })
	return best
}

// learn derives the expectation for the answer from a request.
func (c *conversation) learn(f format, request []byte) {
	switch f.name {
	case "sqp.Request":
		q, err := sqp.ParseQueryRequest(request)
		c.asked = err == nil
		c.options.chunks = q.Chunks
		if c.asked {
			c.expect("sqp.QueryResponse")
		}
	case "gamespy2.StatRequest":
		if q, err := gamespy2.ParseStatRequest(request); err == nil && q.Full {
			c.expect("gamespy2.Response")
		} else {
			c.expect("gamespy2.BasicStat")
		}
	case "gamespy2.Request":
		c.learnGameSpy2(request)
	case "gameagent.ToServer":
		if q, err := gameagent.ParseLegacyRequest(request); err == nil {
			c.expect("gameagent.LegacyStatus")
			c.options.query = q.Query
			return
		}
		c.expect("gameagent.FromServer")
	case "sb2.ClientStream":
		if first, _, err := sb2.NextFrame(request, sb2.MaxMessage); err == nil {
			c.options.sb2.request, _ = sb2.ParseListRequest(first)
		}
		c.expect(sb2MasterStream)
	case "warzone.HostStream":
		c.expect("warzone.LobbyStream")
		first, _, _ := new(warzone.HostStream).NextRequest(request)
		if _, ok := first.(warzone.ListRequest); ok {
			c.expect("warzone.ListReply")
		}
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

// expect makes a format the first candidate, after challenges.
func (c *conversation) expect(name string) {
	c.expected = name
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
