// Package traffic records what clients and servers send, recognizes the protocol of each
// conversation, and explains it.
package traffic

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Ends are two addresses, in order, and the transport between them.
type Ends struct {
	a, b   netip.AddrPort
	stream bool
}

// EndsOf returns the addresses between which s was sent, the same in both directions.
func EndsOf(s capture.Sent) Ends {
	a, b := s.Between()
	return Ends{a, b, s.Stream}
}

// maxTried limits the datagrams and streams that are used to find the service. It is
// our choice.
const maxTried = 100

// maxFailed is the number of messages after which a service is not tried further if none of
// them has a format or starts like one. It is our choice.
const maxFailed = 6

// A Conversation is everything that two addresses send to each other.
type Conversation struct {
	sent  []capture.Sent // the first ones, up to maxTried
	heard int            // how many there were, if they come one by one

	Session *Session // nil if the service is unknown
	byPort  bool     // the server has a port of the service
	others  []string // other services that accept all of it
}

// Recognize finds the service of each conversation. If only is not empty, it considers no
// other service. o are the options that the user gave.
func Recognize(all []capture.Sent, only string, o formats.Options) map[Ends]*Conversation {
	return recognize(all, only, o, func(int) {})
}

// recognize is Recognize, and calls step after each conversation with the number of all.
func recognize(
	all []capture.Sent, only string, o formats.Options, step func(conversations int),
) map[Ends]*Conversation {
	conversations := make(map[Ends]*Conversation)
	for _, s := range all {
		key := EndsOf(s)
		if conversations[key] == nil {
			conversations[key] = new(Conversation)
		}
		if t := conversations[key]; len(t.sent) < maxTried {
			t.sent = append(t.sent, s)
		}
	}
	services := spoken(only)
	for _, t := range conversations {
		t.recognize(services, o, only != "")
		step(len(conversations))
	}
	answerBroadcasts(conversations)
	for _, t := range conversations {
		if t.Session == nil {
			t.recognizeAnswers(services, o)
		}
	}
	return conversations
}

// spoken returns the services of a protocol, or all if it is empty.
func spoken(only string) []Service {
	return slices.DeleteFunc(Services(), func(s Service) bool { return only != "" && only != s.Protocol })
}

// A broadcast is a request that other addresses than its destination may answer.
type broadcast struct {
	client netip.AddrPort
	port   uint16 // of the servers
}

// answerBroadcasts recognizes answers to a request that was sent to another address,
// such as a broadcast. They go from the destination port of the request to its source
// port.
func answerBroadcasts(conversations map[Ends]*Conversation) {
	sent := make(map[broadcast]*Session)
	for _, t := range conversations {
		s := t.sent[0]
		if s.Stream || t.Session == nil || t.isAnswered() {
			continue
		}
		key := broadcast{s.From, s.To.Port()}
		if c := sent[key]; c == nil || c.server.Compare(s.To) > 0 { // deterministic
			sent[key] = t.Session
		}
	}
	for _, t := range conversations {
		if s := t.sent[0]; t.Session == nil && !s.Stream {
			t.Session = sent[broadcast{s.To, s.From.Port()}]
		}
	}
}

// isAnswered reports whether the server sends anything.
func (t *Conversation) isAnswered() bool {
	return slices.ContainsFunc(t.sent, func(s capture.Sent) bool { return s.To != t.Session.server })
}

// recognize tries all services, with either side as the server. If the user has given
// the service, it is certain.
func (t *Conversation) recognize(services []Service, o formats.Options, sure bool) {
	var possible []match
	for _, d := range services {
		if d.Stream != t.sent[0].Stream {
			continue
		}
		for _, server := range []netip.AddrPort{t.sent[0].To, t.sent[0].From} {
			if j := matchOf(d, server, o, t.sent); j.counts(sure) {
				possible = append(possible, j)
			}
		}
	}
	if len(possible) == 0 {
		return
	}
	slices.SortStableFunc(possible, match.compare)
	best := possible[0]
	t.Session = best.Session(best.server, o)
	t.byPort = best.byPort
	for _, j := range possible[1:] {
		if j.failed == 0 && j.Protocol != best.Protocol && !slices.Contains(t.others, j.Protocol) {
			t.others = append(t.others, j.Protocol)
		}
	}
}

// recognizeAnswers finds the service of answers whose requests are not in the capture.
func (t *Conversation) recognizeAnswers(spoken []Service, o formats.Options) {
	for _, d := range spoken {
		if d.Stream != t.sent[0].Stream || !slices.ContainsFunc(d.Answers, isEvident) {
			continue
		}
		for _, server := range []netip.AddrPort{t.sent[0].To, t.sent[0].From} {
			j := matchOf(d, server, o, t.sent)
			if j.evident && j.requests == 0 && j.failed == 0 && j.lax() == 0 {
				t.Session = j.Session(server, o)
				return
			}
		}
	}
}

// isEvident reports whether a format of answers is known without a request.
func isEvident(name string) bool { return name == "sqp.Packet" || name == "gamespy2.Packet" }

// A match rates a conversation as a service with one side as the server.
type match struct {
	Service
	server netip.AddrPort
	byPort bool

	requests, answers    int  // messages that have a format
	strict               int  // messages that have a format strictly
	strictRequest        bool // a request, or at least its first message, has a format strictly
	evident              bool // an answer has a format whose layout no other data has by chance
	failed               int  // messages that have no format
	near                 bool // one of these starts like a format
	answered, understood bool // the server sends something; some of it starts like a format
}

func matchOf(d Service, server netip.AddrPort, o formats.Options, sent []capture.Sent) match {
	j := match{Service: d, server: server, byPort: slices.Contains(d.Ports, server.Port())}
	c := d.Session(server, o)
	for _, s := range sent {
		if len(s.Data) == 0 {
			continue
		}
		r := c.Read(s)
		r.Options.Strict = true
		strict := try(r.Format, s, r.Options)
		switch {
		case !r.whole && !r.known:
		case s.To == server:
			j.requests++
			j.strictRequest = j.strictRequest || strict.whole || strict.known
		default:
			j.answers++
			j.evident = j.evident || strict.whole && isEvident(r.Name)
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
			j.answered = true
			j.understood = j.understood || r.fits() || r.reach > 0
		}
		if j.failed == maxFailed && j.read() == 0 && !j.near {
			break
		}
	}
	return j
}

// read returns the number of messages with a format.
func (j match) read() int { return j.requests + j.answers }

// counts reports whether the service is possible. It is certain if the user has given
// it.
func (j match) counts(sure bool) bool {
	switch {
	case j.byPort:
		return j.read() > 0 || j.near
	case sure:
		return j.read() > 0
	case j.plain:
		return j.failed == 0 && j.requests > 0 && j.answers > 0 && j.strict == j.read()
	}
	return j.strictRequest && (j.understood || !j.answered) || j.requests > 0 && j.answers > 0 && j.failed == 0
}

// compare orders matches, the better one first.
func (j match) compare(k match) int {
	return cmp.Or(
		cmp.Compare(j.failed, k.failed),
		cmp.Compare(j.lax(), k.lax()),
		cmp.Compare(k.portRank(), j.portRank()),
		cmp.Compare(k.read(), j.read()),
	)
}

// lax returns the number of messages that have a format only with tolerance.
func (j match) lax() int { return j.read() - j.strict }

func (j match) portRank() int {
	if j.byPort {
		return 1
	}
	return 0
}
