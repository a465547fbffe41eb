// Package tricks contains the cases of clients: servers that misbehave, for authors of
// clients.
package tricks

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A trick is a behaviour of a server that clients must handle. answer and foreign answer
// a datagram, and speech answers a request on a connection.
type trick struct {
	number   string // in the ID, such as "1"
	level    check.Level
	sentence string
	source   string // why servers do it
	shows    bool   // the client must show the server; otherwise it must not show it as whole

	view    func(v *lobbywire.View)                     // changes the state, nil for none
	answer  func(e exchange) [][]byte                   // nil for the right answers
	foreign func(e exchange) [][]byte                   // sent before that from another port, nil for none
	speech  func(right []byte, v lobbywire.View) speech // nil for the right answer
	shown   func(line string) (ok bool)                 // checks more of what the client shows, nil for nothing
}

// An exchange is a request to a server with a trick.
type exchange struct {
	number       int      // of the request, from 0, during the trick
	right, wrong [][]byte // the answers of the server, and the same with another name
}

// wrongName is the start of the name in answers; no client may show it.
const wrongName = "Wrong"

// longest is the size of the longest challenge.
const longest = 16

// Sources of tricks.
const (
	onInternet = "the internet, which loses, repeats and reorders datagrams"
	byAnyone   = "anybody, who can send to any port"
	byServers  = "servers with unusual games"
	byProtocol = "the protocol"
)

// datagramTricks returns the tricks of a protocol over UDP.
func datagramTricks(protocol string) (all []trick) {
	for _, t := range []trick{
		{number: "1", level: check.Must, sentence: "the server answers as it must", source: byProtocol, shows: true},
		{number: "2", level: check.Must, sentence: "another port answers first, with another name",
			source: byAnyone, shows: true, foreign: func(e exchange) [][]byte { return e.wrong }},
		{number: "3", level: check.Should, sentence: "an answer with another token or id comes first", source: byAnyone,
			shows: true, answer: otherID},
		{number: "4", level: check.Should, sentence: "an empty datagram comes first", source: byAnyone, shows: true,
			answer: before([]byte{})},
		{number: "5", level: check.Should, sentence: "a datagram of another protocol comes first",
			source: byAnyone, shows: true, answer: before([]byte("\xff\xff\xff\xffI\x11"))},
		{number: "6", level: check.Should, sentence: "each answer comes twice", source: onInternet, shows: true,
			answer: func(e exchange) [][]byte { return slices.Concat(e.right, e.right) }},
		{number: "7", level: check.Should, sentence: "the first request is lost", source: onInternet, shows: true,
			answer: loseFirst},
		{number: "8", level: check.Must, sentence: "there are no players", source: byServers, shows: true,
			view: func(v *lobbywire.View) { v.Players, v.Roster = new(0), nil }},
		{number: "9", level: check.Must, sentence: "the server is full", source: byServers, shows: true,
			view: func(v *lobbywire.View) { v.Max = v.Players }},
		{number: "10", level: check.Should, sentence: "the name has 200 bytes", source: byServers, shows: true,
			view: func(v *lobbywire.View) { v.Name += strings.Repeat("x", 200-len(v.Name)) }},
		{number: "11", level: check.Must, sentence: "the name has characters that control a terminal", source: byServers,
			shows: true, view: func(v *lobbywire.View) { v.Name += " \x1b[31m\x07" }, shown: bare},
		{number: "12", level: check.Should, sentence: "the answer is cut", source: byServers, answer: cutAnswers},
		{number: "13", level: check.Must, sentence: "the server is silent", source: onInternet,
			answer: func(exchange) [][]byte { return nil }},
	} {
		if protocol != "gameagent" || t.number != "3" { // which has neither tokens nor ids
			all = append(all, t)
		}
	}
	return all
}

// before sends a datagram before the right answers.
func before(b []byte) func(exchange) [][]byte {
	return func(e exchange) [][]byte { return append([][]byte{b}, e.right...) }
}

// otherID sends the wrong answers with another token of SQP, or id of GameSpy: bytes 1 to 4.
func otherID(e exchange) [][]byte {
	var all [][]byte
	for _, b := range e.wrong {
		if len(b) < longest { // a challenge: of SQP, all tokens are right
			continue
		}
		b = bytes.Clone(b)
		for i := 1; i < 5; i++ {
			b[i] ^= 0x55
		}
		all = append(all, b)
	}
	return append(all, e.right...)
}

func loseFirst(e exchange) [][]byte {
	if e.number == 0 {
		return nil
	}
	return e.right
}

func cutAnswers(e exchange) (all [][]byte) {
	for _, b := range e.right {
		if len(b) > longest {
			b = b[:len(b)/2]
		}
		all = append(all, b)
	}
	return all
}

// List returns the IDs, levels, sentences and sources of all tricks.
func List() (all []check.Case) {
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		all = append(all, casesOf(protocol, datagramTricks(protocol))...)
	}
	for _, protocol := range Streams() {
		all = append(all, casesOf(protocol, dialects()[protocol].tricks())...)
	}
	return all
}

func casesOf(protocol string, tricks []trick) (all []check.Case) {
	for _, t := range tricks {
		all = append(all, check.Case{ID: t.id(protocol), Level: t.level, Sentence: t.sentence, Source: t.source})
	}
	return all
}

func (t trick) id(protocol string) string { return protocol + "/client." + t.number }

// byLobbies is the source of tricks of lobbies of Warzone.
const byLobbies = "lobbies of Warzone 2100, and bytes that fail on the way"
