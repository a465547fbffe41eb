package traffic

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Session is the messages between two addresses in a service.
type Session struct {
	name     string // of the service
	server   netip.AddrPort
	requests []formats.Format

	expectation
	earlier map[string]expectation // by the ids of requests, up to maxEarlier
}

// An expectation describes the answer to a request.
type expectation struct {
	answers  []formats.Format // its possible formats, the likely ones first
	expected string           // its format, if the request determines it
	options  formats.Options  // from the request
	asked    bool             // the request was decoded
}

// maxEarlier limits the requests of a conversation that wait for answers. It is our
// choice.
const maxEarlier = 64

// Session returns a conversation with a server of the service, before any message. o are the
// options that the user gave.
func (s Service) Session(server netip.AddrPort, o formats.Options) *Session {
	return &Session{
		name:        s.Protocol,
		server:      server,
		requests:    named(s.Requests),
		expectation: expectation{answers: named(s.Answers), options: o},
	}
}

// named returns the formats with names that exist.
func named(names []string) []formats.Format {
	found := make([]formats.Format, len(names))
	for i, name := range names {
		found[i], _ = formats.Named(name)
	}
	return found
}

// Read finds the format of a message and prepares for the next one.
func (c *Session) Read(s capture.Sent) reading {
	if s.To != c.server {
		if len(c.earlier) > 0 {
			c.recall(idOf(c.answers, s.Data))
		}
		r := c.find(c.candidates(), s)
		if r.whole && r.Name == "gamespy2.ChallengeResponse" {
			c.options.Challenge = true
		}
		return r
	}
	r := c.find(c.requests, s)
	switch {
	case r.whole:
		c.asked = true
		c.learn(r.Format, s.Data)
		c.remember(idOf([]formats.Format{r.Format}, s.Data))
	case r.reach > 0: // a request, but a broken one
		c.asked = false
	}
	return r
}

// recall restores the expectation for an answer with an ID.
func (c *Session) recall(id string) {
	if e, ok := c.earlier[id]; ok {
		e.options.Challenge = c.options.Challenge // it comes with an answer
		c.expectation = e
	}
}

// remember stores the expectation for a request with an ID.
func (c *Session) remember(id string) {
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
func idOf(candidates []formats.Format, b []byte) string {
	for _, f := range candidates {
		m, ok := f.Codec.(formats.Member)
		if !ok || !strings.HasPrefix(f.Name, "gamespy2.") {
			return ""
		}
		for _, field := range m.Explanation(b, formats.DefaultOptions()).Fields {
			if field.Name == "id" {
				return string(b[field.Offset:][:field.Length])
			}
		}
	}
	return ""
}

// candidates returns the possible formats of an answer. Some need the request.
func (c *Session) candidates() []formats.Format {
	return slices.DeleteFunc(slices.Clone(c.answers), func(f formats.Format) bool {
		switch f.Name {
		case "sqp.QueryResponse":
			return !c.asked
		case "gamespy2.Values":
			return c.options.Keys == 0
		}
		return false
	})
}

// find returns the best reading of a message: in the expected format, in a format that
// accepts all of it, or in a format whose messages start like it. If there is none, it
// returns the reading that gets furthest, or the reading in the expected format.
func (c *Session) find(candidates []formats.Format, s capture.Sent) (best reading) {
	rank := func(r reading) int {
		switch {
		case r.fits() && r.Name == c.expected:
			return 3
		case r.whole:
			return 2
		case r.fits():
			return 1
		}
		return 0
	}
	var fitting []string
	for i, f := range candidates {
		r := try(f, s, c.options)
		if r.fits() {
			fitting = append(fitting, r.Name)
		}
		further := r.reach > best.reach && (best.Name != c.expected || best.reach == 0)
		if i == 0 || rank(r) > rank(best) || rank(r)+rank(best) == 0 && further {
			best = r
		}
		if best.whole {
			return best
		}
	}
	best.or = slices.DeleteFunc(fitting, func(name string) bool { return name == best.Name })
	return best
}

// learn derives the expectation for the answer from a request.
func (c *Session) learn(f formats.Format, request []byte) {
	switch f.Name {
	case "sqp.Request":
		q, err := sqp.ParseQueryRequest(request)
		c.asked = err == nil
		c.options.Chunks = q.Chunks
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
		c.expect("gameagent.FromServer")
	case "gamespy1.ToServer":
		q, _ := gamespy1.ParseRequest(request)
		c.expect("gamespy1.Status")
		c.options.Query = q.Query
	case "sb2.ClientStream":
		if first, _, err := sb2.NextFrame(request, sb2.MaxMessage); err == nil {
			c.options.ServerBrowsing.Request, _ = sb2.ParseListRequest(first)
		}
		c.expect(formats.Sb2MasterStream)
	case "warzone.HostStream":
		c.expect("warzone.LobbyStream")
		first, _, _ := new(warzone.HostStream).NextRequest(request)
		if _, ok := first.(warzone.ListRequest); ok {
			c.expect("warzone.ListReply")
		}
	}
}

func (c *Session) learnGameSpy2(request []byte) {
	q, err := c.options.GameSpy2().ParseRequest(request)
	if err != nil {
		return
	}
	c.options.Keys, c.options.Part, c.options.Sections = 0, q.Split(), 0
	switch {
	case q.Split():
		c.expect("gamespy2.Response")
	case q.Info.Len() > 0:
		c.options.Keys = q.Info.Len()
		c.expect("gamespy2.Values")
	default:
		c.options.Sections = q.Sections()
		c.expect("gamespy2.Response")
	}
}

// expect makes a format the first candidate, after challenges.
func (c *Session) expect(name string) {
	c.expected = name
	place := func(f formats.Format) int {
		switch f.Name {
		case "gamespy2.ChallengeResponse":
			return 0
		case name:
			return 1
		}
		return 2
	}
	c.answers = slices.Clone(c.answers)
	slices.SortStableFunc(c.answers, func(a, b formats.Format) int { return place(a) - place(b) })
}
