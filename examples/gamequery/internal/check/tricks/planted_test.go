package tricks

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// A heard is what a client gets during a trick.
type heard struct {
	foreign, first, second [][]byte // datagrams from another port, and answers to two equal requests
	speech                 speech   // on a connection
	usual                  []byte   // answer to the first trick
	name                   string   // to be shown
	view                   lobbywire.View
}

// answer returns the answer to a request that is repeated.
func (h heard) answer() [][]byte {
	if h.first == nil && h.speech.pieces == nil {
		return h.second
	}
	return append(h.first, h.speech.pieces...)
}

// name matches what clients read as the name of a server, with escapes of JSON.
var name = regexp.MustCompile(`(Case ?|Wrong)(?:[ -\[\]-~]|\x1b|\x07|\xfc|\\u00..)*`)

// found returns the first name in bytes.
func found(b []byte) string {
	text := string(name.Find(b))
	text, _, _ = strings.Cut(text, `"`)
	return strings.NewReplacer(`\u001b`, "\x1b", `\u0007`, "\a").Replace(text)
}

// hear plays a trick to a client.
func hear(protocol string, t trick) (h heard) {
	d, isStream := dialects()[protocol]
	if !isStream {
		return hearDatagrams(protocol, t)
	}
	s := &connections{dialect: d, open: map[net.Conn]bool{}}
	h.name = "Case" + t.number
	s.play(t, h.name)
	h.view = s.view
	h.usual = d.answer(map[string][]byte{
		"bomberman": check.Frames(bomberman.QueryGameServers{}), "warzone": []byte("list\x00"),
		"wzhttp": []byte("GET /\r\n\r\n"),
	}[protocol], h.view)
	h.speech = speech{[][]byte{h.usual}, d.closes}
	if t.speech != nil {
		h.speech = t.speech(bytes.Clone(h.usual), h.view)
	}
	return h
}

func hearDatagrams(protocol string, t trick) (h heard) {
	from := netip.MustParseAddrPort("192.0.2.7:50000")
	s := &datagrams{protocol: protocol}
	h.name = "Case " + t.number
	s.play(t, h.name)
	request := check.MustBinary(gameagent.StatusRequest{})
	switch protocol {
	case "sqp":
		challenge, _ := s.right(from, make([]byte, sqp.RequestSize), nil)
		c, _ := sqp.ParseChallengeResponse(challenge[0])
		request = check.MustBinary(sqp.QueryRequest{Token: c.Token, Version: sqp.Version, Chunks: sqp.ChunkServerInfo})
	case "gamespy2":
		request = check.MustBinary(gamespy2.Request{ID: [4]byte{1, 2, 3, 4}, Info: gamespy2.All()})
	}
	right, _ := s.right(from, request, nil)
	h.usual = bytes.Join(right, nil)
	for number, answers := range []*[][]byte{&h.first, &h.second} {
		e := exchange{number, right, s.renamed(right)}
		*answers = right
		if t.answer != nil {
			*answers = t.answer(e)
		}
		if t.foreign != nil {
			h.foreign = t.foreign(e)
		}
	}
	h.view.Players, h.view.Max = new(2), new(16)
	if t.view != nil {
		h.view.Name = h.name
		t.view(&h.view)
	}
	return h
}

// unless shows what a right client shows, unless meets returns true.
func unless(meets func(h heard) bool, shows func(h heard) string) func(h heard, right string) string {
	return func(h heard, right string) string {
		if meets(h) {
			return shows(h)
		}
		return right
	}
}

// all returns all bytes of an answer.
func (h heard) all() []byte { return bytes.Join(h.answer(), nil) }

// What clients meet.
func always(heard) bool         { return true }
func fromAnybody(h heard) bool  { return h.foreign != nil }
func isAnswered(h heard) bool   { return len(h.first) > 0 }
func isUnreadable(h heard) bool { return isAnswered(h) && !name.Match(h.first[0]) }
func inPieces(h heard) bool     { return len(h.answer()) > 1 }
func isLost(h heard) bool       { return h.first == nil && h.second != nil }
func isSilent(h heard) bool     { return len(h.answer()) == 0 }
func isPart(h heard) bool {
	return !isSilent(h) && bytes.HasPrefix(h.usual, h.all()) && len(h.all()) < len(h.usual)
}
func isUnusual(h heard) bool   { return !bytes.Equal(h.all(), h.usual) }
func isEmpty(h heard) bool     { return h.view.Players != nil && *h.view.Players == 0 }
func isFull(h heard) bool      { return h.view.Max != nil && *h.view.Players == *h.view.Max }
func isLong(h heard) bool      { return len(h.view.Name) > 63 }
func hasControls(h heard) bool { return !bare(found(h.all())) }
func hasLatin1(h heard) bool   { return bytes.Contains(h.all(), []byte("\xfc")) }
func hasBlanks(h heard) bool   { return bytes.Contains(h.all(), []byte("      ")) }

// What they show of it.
func nothing(heard) string        { return "" }
func anything(h heard) string     { return found(h.all()) }
func firstForeign(h heard) string { return found(h.foreign[0]) }
func asBefore(h heard) string     { return h.name }
func padded(h heard) string       { return h.name + "      " }
func inLatin1(h heard) string     { return h.name + " M\xfcller" }

// plantedClients are clients with a fault, and the trick that must find it.
func plantedClients() (all []checktest.Fault) {
	for _, p := range []struct {
		name, number string // number of the trick, the same in each protocol
		protocols    string
		shows        func(h heard, right string) string
	}{
		{"shows nothing", "1", "all", unless(always, nothing)},
		{"takes answers of anybody", "2", "udp", unless(fromAnybody, firstForeign)},
		{"does not read ids", "3", "sqp gamespy2", unless(isAnswered, anything)},
		{"stops at what it cannot read", "4", "udp", unless(isUnreadable, nothing)},
		{"wants one datagram", "6", "udp", unless(inPieces, nothing)},
		{"asks once", "7", "udp", unless(isLost, nothing)},
		{"leaves out empty servers", "8", "udp", unless(isEmpty, nothing)},
		{"leaves out full servers", "9", "udp", unless(isFull, nothing)},
		{"has room for 63 bytes", "10", "udp", unless(isLong, nothing)},
		{"prints what it gets", "11", "udp", unless(hasControls, anything)},
		{"shows a part as before", "12", "udp", unless(isPart, asBefore)},
		{"shows a silent server as before", "13", "udp", unless(isSilent, asBefore)},
		{"reads one packet", "2", "tcp", unless(inPieces, nothing)},
		{"shows a part as before", "4", "tcp", unless(isPart, asBefore)},
		{"shows a silent server as before", "5", "tcp", unless(isSilent, asBefore)},
		{"shows what it finds", "14", "tcp", unless(always, anything)},
		{"reads only usual answers", "6", "tcp", unless(isUnusual, nothing)},
		{"keeps blanks", "9", "warzone", unless(hasBlanks, padded)},
		{"does not convert Latin-1", "11", "warzone", unless(hasLatin1, inLatin1)},
	} {
		for _, protocol := range append([]string{"sqp", "gamespy2", "gameagent"}, Streams()...) {
			kind := "udp"
			if dialects()[protocol].tricks != nil {
				kind = "tcp"
			}
			if p.protocols != "all" && p.protocols != kind && !strings.Contains(p.protocols, protocol) {
				continue
			}
			all = append(all, checktest.Fault{Name: p.name, Case: fmt.Sprintf("%s/client.%s", protocol, p.number),
				Run: func(*testing.T, ...string) check.Report { return judgeClient(protocol, p.shows) }})
		}
	}
	return all
}

// judgeClient plays all tricks of a protocol to a client.
func judgeClient(protocol string, shows func(h heard, right string) string) (r check.Report) {
	tricks := datagramTricks(protocol)
	if d, ok := dialects()[protocol]; ok {
		tricks = d.tricks()
	}
	for _, t := range tricks {
		h, right := hear(protocol, t), ""
		if t.shows {
			right = h.name
		}
		r.Findings = append(r.Findings, check.Finding{
			Case: check.Case{ID: t.id(protocol)}, Result: t.judge(shows(h, right), h.name, false),
		})
	}
	return r
}

// Each trick has a client that fails it, and clients that show all right answers pass.
func TestEachTrickFailsItsClients(t *testing.T) {
	checktest.Faults(t, plantedClients(), List())
	for _, protocol := range append([]string{"sqp", "gamespy2", "gameagent"}, Streams()...) {
		checktest.Passes(t, judgeClient(protocol, func(_ heard, right string) string { return right }))
	}
}
