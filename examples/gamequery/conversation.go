package main

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
)

// A dialect is what the two sides of a protocol say to each other, as formats
// by name. Of several, the first that reads all of what was sent is its format.
type dialect struct {
	name   string
	ports  []uint16 // of servers
	stream bool     // TCP

	requests, answers []string

	// shy is of what is so short or plain that it may mean anything: only ports
	// tell it.
	shy bool
}

// dialects returns all dialects, the plainer behind the others.
func dialects() []dialect {
	return []dialect{
		{
			name:     "gamespy2",
			requests: []string{"gamespy2.Request", "gamespy2.BasicStatRequest"},
			answers: []string{"gamespy2.ChallengeResponse", "gamespy2.Response", "gamespy2.Packet",
				"gamespy2.BasicStat", "gamespy2.Values", "gamespy2.EchoResponse"},
		},
		{
			name:     "sqp",
			requests: []string{"sqp.Request"},
			answers:  []string{"sqp.ChallengeResponse", "sqp.QueryResponse", "sqp.Packet"},
		},
		{
			name:     "gameagent",
			ports:    []uint16{gameagent.MasterPort, gameagent.LegacyMasterPort},
			requests: []string{"gameagent.ToMaster"},
			answers:  []string{"gameagent.ServerList", "gameagent.Challenge"},
			shy:      true,
		},
		{
			name:     "gameagent",
			ports:    []uint16{gameagent.GamePort + 1},
			requests: []string{"gameagent.ToServer"},
			answers: []string{"gameagent.LegacyStatus", "gameagent.LegacyInfo", "gameagent.LegacyBasic",
				"gameagent.LegacyPlayers", "gameagent.FromServer"},
		},
		{
			name: "bomberman", stream: true,
			ports:    []uint16{bomberman.Port},
			requests: []string{"bomberman.Stream"},
			answers:  []string{"bomberman.Stream"},
		},
		{
			name: "warzone", stream: true,
			ports:    []uint16{warzone.LobbyPort},
			requests: []string{"warzone.HostStream"},
			answers:  []string{"warzone.ListReply", "warzone.LobbyStream"},
		},
		{
			name: "warzone", stream: true,
			ports:    []uint16{warzone.GamePort},
			requests: []string{"warzone.AliveRequest", "warzone.JoinRequest"},
			answers:  []string{"warzone.AliveReply", "warzone.Game"},
			shy:      true,
		},
		{
			name: "wztext", stream: true,
			requests: []string{"wztext.Stream"},
			answers:  []string{"wztext.Stream"},
		},
		{
			name: "wzjson", stream: true,
			requests: []string{"wzjson.Stream"},
			answers:  []string{"wzjson.Stream"},
		},
		{
			name: "wzbin", stream: true,
			requests: []string{"wzbin.Stream"},
			answers:  []string{"wzbin.Stream"},
			shy:      true,
		},
		{
			name: "gameagent", stream: true,
			ports:    []uint16{gameagent.LegacyListPort},
			requests: []string{"gameagent.LegacyListRequest"},
			answers:  []string{"gameagent.LegacyGreeting", "gameagent.LegacyServerList"},
			shy:      true,
		},
	}
}

// A conversation is what is known of two addresses that talk to each other.
type conversation struct {
	dialect
	server  netip.AddrPort
	options options // for answers: what the last request has asked for
}

// conversations are those of a capture.
type conversations struct {
	only  string // the name of the only dialect there is; empty is any
	known map[ends]*conversation
}

// ends are two addresses, in order.
type ends struct {
	a, b   netip.AddrPort
	stream bool
}

// formatOf returns in which format s is, and how to read it. It is not ok if
// that cannot be told.
func (c *conversations) formatOf(s capture.Sent) (f format, o options, ok bool) {
	a, b := s.Between()
	key := ends{a, b, s.Stream}
	known := c.known[key]
	if known == nil {
		if known = c.meet(s); known == nil {
			return format{}, options{}, false
		}
		c.known[key] = known
	}
	if s.To == known.server {
		f, _ = known.find(known.requests, s.Data, known.options)
		o = known.options
		known.learn(f, s.Data)
		return f, o, true
	}
	f, _ = known.find(known.answers, s.Data, known.options)
	if f.name == "gamespy2.ChallengeResponse" {
		known.options.challenge = true
	}
	return f, known.options, true
}

// meet returns the conversation that s begins: by a port, or by a request that
// reads as one.
func (c *conversations) meet(s capture.Sent) *conversation {
	for _, d := range dialects() {
		if d.stream != s.Stream || c.only != "" && c.only != d.name {
			continue
		}
		switch {
		case slices.Contains(d.ports, s.To.Port()):
			return &conversation{dialect: d, server: s.To, options: defaultOptions()}
		case slices.Contains(d.ports, s.From.Port()):
			return &conversation{dialect: d, server: s.From, options: defaultOptions()}
		}
	}
	for _, d := range dialects() {
		if d.stream != s.Stream || c.only != "" && c.only != d.name || d.shy && c.only == "" {
			continue
		}
		if _, ok := d.find(d.requests, s.Data, defaultOptions()); ok {
			return &conversation{dialect: d, server: s.To, options: defaultOptions()}
		}
	}
	return nil
}

// find returns the first of the formats that reads all of b. If there is none,
// it is the first of all, and not ok.
func (d dialect) find(names []string, b []byte, o options) (f format, ok bool) {
	for _, name := range names {
		if f, ok := formatOf(name); ok && reads(f, b, o) {
			return f, true
		}
	}
	f, _ = formatOf(names[0])
	return f, false
}

// reads tells whether b is of a format. The end of a stream may lack.
func reads(f format, b []byte, o options) bool {
	switch c := f.codec.(type) {
	case stream:
		return c.opens(b, o)
	case member:
		name, _, err := c.line(f.name, b, o)
		return err == nil && !isUnknown(name)
	}
	return false
}

// opens tells whether b starts with a message of the stream that is known.
func (s stream) opens(b []byte, o options) (known bool) {
	enough := errors.New("one message is enough")
	err := s.pieces(b, o, func(p piece) error {
		switch {
		case p.lost != nil:
			return p.lost
		case p.member == nil:
			return nil
		}
		name, _, err := p.line(p.name, p.bytes, o)
		known = err == nil && !isUnknown(name)
		return enough
	})
	return known && err == enough
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

// expect tries the format of that name first, but for challenges.
func (c *conversation) expect(name string) {
	order := []string{name}
	for _, other := range c.answers {
		switch {
		case other == "gamespy2.ChallengeResponse":
			order = slices.Insert(order, 0, other)
		case other != name:
			order = append(order, other)
		}
	}
	c.answers = order
}

// isUnknown tells whether a format is what is left when no other fits.
func isUnknown(name string) bool { return strings.HasSuffix(name, ".Unknown") }
