package main

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// ends are two addresses, in order.
type ends struct {
	a, b   netip.AddrPort
	stream bool
}

func endsOf(s capture.Sent) ends {
	a, b := s.Between()
	return ends{a, b, s.Stream}
}

// maxJudged limits the datagrams and streams that are used to find the dialect. It is
// our choice.
const maxJudged = 100

// A talk is everything that two addresses send to each other.
type talk struct {
	said []capture.Sent // the first ones, up to maxJudged

	speaks *conversation // nil if the dialect is unknown
	byPort bool          // the server has a port of the dialect
	or     []string      // other dialects that accept all of it
}

// recognize finds the dialect of each talk. If only is not empty, it considers no
// other dialect. o are the options that the user gave.
func recognize(all []capture.Sent, only string, o options) map[ends]*talk {
	talks := make(map[ends]*talk)
	for _, s := range all {
		key := endsOf(s)
		if talks[key] == nil {
			talks[key] = new(talk)
		}
		if t := talks[key]; len(t.said) < maxJudged {
			t.said = append(t.said, s)
		}
	}
	known := formats()
	var spoken []dialect
	for _, d := range dialects() {
		if only == "" || only == d.name {
			spoken = append(spoken, d)
		}
	}
	for _, t := range talks {
		t.recognize(spoken, known, o, only != "")
	}
	answerBroadcasts(talks)
	return talks
}

// answerBroadcasts recognizes answers to a request that was sent to another address,
// such as a broadcast. They go from the destination port of the request to its source
// port.
func answerBroadcasts(talks map[ends]*talk) {
	type request struct {
		client netip.AddrPort
		port   uint16 // of the servers
	}
	sent := make(map[request]*conversation)
	for _, t := range talks {
		s := t.said[0]
		if s.Stream || t.speaks == nil || t.isAnswered() {
			continue
		}
		key := request{s.From, s.To.Port()}
		if c := sent[key]; c == nil || c.server.Compare(s.To) > 0 { // deterministic
			sent[key] = t.speaks
		}
	}
	for _, t := range talks {
		if s := t.said[0]; t.speaks == nil && !s.Stream {
			t.speaks = sent[request{s.To, s.From.Port()}]
		}
	}
}

// isAnswered reports whether the server sends anything.
func (t *talk) isAnswered() bool {
	return slices.ContainsFunc(t.said, func(s capture.Sent) bool { return s.To != t.speaks.server })
}

// recognize tries all dialects, with either side as the server. If the user has given
// the dialect, it is certain.
func (t *talk) recognize(spoken []dialect, known []format, o options, sure bool) {
	var judged []judgment
	for _, d := range spoken {
		if d.stream != t.said[0].Stream {
			continue
		}
		for _, server := range []netip.AddrPort{t.said[0].To, t.said[0].From} {
			if j := judge(d, server, known, o, t.said); j.counts(sure) {
				judged = append(judged, j)
			}
		}
	}
	if len(judged) == 0 {
		return
	}
	slices.SortStableFunc(judged, judgment.compare)
	best := judged[0]
	t.speaks = newConversation(best.dialect, best.server, known, o)
	t.byPort = best.byPort
	for _, j := range judged[1:] {
		if j.failed == 0 && j.name != best.name && !slices.Contains(t.or, j.name) {
			t.or = append(t.or, j.name)
		}
	}
}

// A judgment rates a talk as a dialect with one side as the server.
type judgment struct {
	dialect
	server netip.AddrPort
	byPort bool

	requests, answers int  // messages that have a format
	strict            int  // those that have it strictly
	strictRequest     bool // a request, or at least its first message, has a format strictly
	failed            int  // messages that have no format
	near              bool // one of these starts like a format
	said, understood  bool // the server sends something; some of it starts like a format
}

func judge(d dialect, server netip.AddrPort, known []format, o options, said []capture.Sent) judgment {
	j := judgment{dialect: d, server: server, byPort: slices.Contains(d.ports, server.Port())}
	c := newConversation(d, server, known, o)
	for _, s := range said {
		if len(s.Data) == 0 {
			continue
		}
		r := c.read(s)
		r.options.strict = true
		strict := r.format.try(s, r.options)
		switch {
		case !r.whole && !r.known:
		case s.To == server:
			j.requests++
			j.strictRequest = j.strictRequest || strict.whole || strict.known
		default:
			j.answers++
		}
		switch {
		case r.whole && strict.whole:
			j.strict++
		case r.fits():
		default:
			j.failed++
			j.near = j.near || r.reach > 0
		}
		if s.To != server {
			j.said = true
			j.understood = j.understood || r.fits() || r.reach > 0
		}
	}
	return j
}

// read returns the number of messages with a format.
func (j judgment) read() int { return j.requests + j.answers }

// counts reports whether the dialect is possible. It is certain if the user has given
// it.
func (j judgment) counts(sure bool) bool {
	switch {
	case j.byPort:
		return j.read() > 0 || j.near
	case sure:
		return j.read() > 0
	case j.shy:
		return j.failed == 0 && j.requests > 0 && j.answers > 0 && j.strict == j.read()
	}
	return j.strictRequest && (j.understood || !j.said) || j.requests > 0 && j.answers > 0 && j.failed == 0
}

// compare orders judgments, the better one first.
func (j judgment) compare(k judgment) int {
	return cmp.Or(
		cmp.Compare(j.failed, k.failed),
		cmp.Compare(j.lax(), k.lax()),
		cmp.Compare(k.portRank(), j.portRank()),
		cmp.Compare(k.read(), j.read()),
	)
}

// lax returns the number of messages that have a format only with tolerance.
func (j judgment) lax() int { return j.read() - j.strict }

func (j judgment) portRank() int {
	if j.byPort {
		return 1
	}
	return 0
}
