package masters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// Sources of the cases of masters of GameSpy: what its SDK does.
const (
	qrAvailable = "GameSpy's SDK, availability"
	qrHeartbeat = "GameSpy's SDK, heartbeat"
	qrChallenge = "GameSpy's SDK, challenge"
	qrKeepalive = "GameSpy's SDK, keepalive"
	qrFlood     = "a sender with a forged address"
	sbList      = "GameSpy's SDK, server browsing"
	sbFilter    = "GameSpy's SDK, filters"
	sbPush      = "GameSpy's SDK, keys of a server"
)

// gameSpyRows are the cases of a master of GameSpy: QR2 and server browsing.
func gameSpyRows() []row[*gameSpyMaster] {
	type m = *gameSpyMaster
	return []row[m]{
		{"1.1", check.Should, "an availability request is answered: the game is available", qrAvailable, m.isAvailable},
		{"1.2", check.Must, "a heartbeat is answered with a challenge with its instance key", qrHeartbeat,
			func(m m) { m.new(0).challenge() }},
		{"1.3", check.Must, "a server that answers its challenge is listed, once", qrChallenge, listsOnce[m]},
		{"1.4", check.Should, "the right answer is answered with Registered", qrChallenge, m.confirms},
		{"1.5", check.Must, "a server that does not answer its challenge is not listed", qrChallenge, unlisted(nil)},
		{"1.6", check.Must, "a server with an answer whose first character is wrong is not listed", qrChallenge,
			unlisted(func(g *gameSpyServer, c qr2.Challenge) string { return changedAt(g.right(c), 0) })},
		{"1.7", check.Must, "a server with an answer whose last character is wrong is not listed", qrChallenge,
			unlisted(func(g *gameSpyServer, c qr2.Challenge) string { return changedAt(g.right(c), -1) })},
		{"1.8", check.Must, "a server with an answer that is empty is not listed", qrChallenge,
			unlisted(func(*gameSpyServer, qr2.Challenge) string { return "" })},
		{"1.9", check.Must, "a server with an answer that is the challenge is not listed", qrChallenge,
			unlisted(func(_ *gameSpyServer, c qr2.Challenge) string { return c.Text })},
		{"1.10", check.Must, "a server with an answer with another secret key is not listed", qrChallenge,
			unlisted(func(g *gameSpyServer, c qr2.Challenge) string {
				return string(qr2.AppendAnswer(nil, c.Text, "x"+g.game.Key))
			})},
		{"1.11", check.Must, "an answer from another port lists no server", qrFlood, refusesAnswerFrom(1)},
		{"1.12", check.Must, "an answer from another host lists no server", qrFlood, refusesAnswerFrom(2)},
		{"1.13", check.Must, "two servers of a host are listed, and only the one is removed that ends", qrHeartbeat,
			listsTwo[m]},
		{"1.14", check.Must, "heartbeats with other values change the list", qrHeartbeat, m.takesChanges},
		{"1.15", check.Must, "a server whose heartbeat says that it stops is not listed", qrHeartbeat, removesEnded[m]},
		{"1.16", check.Must, "a heartbeat with another instance key, or from another port, removes no server", qrFlood,
			m.keepsForged},
		{"1.17", check.Must, "a keepalive keeps a server listed, and its answer has at most 11 bytes", qrKeepalive,
			m.takesKeepalive},
		{"1.18", check.Should, "a keepalive of an unknown server is not answered", qrKeepalive, m.ignoresKeepalive},
		{"1.20", check.Must, "a server that starts again, with another instance key, is listed once", qrHeartbeat,
			m.takesRestart},
		{"2.1", check.Must, "the list is encrypted, and has the keys that were requested", sbList, m.listsKeys},
		{"2.2", check.Must, "the list has the address from which the server registered, not the local port", sbList,
			m.listsAddress},
		{"2.3", check.Must, "two lists are encrypted with different keys", sbList, m.listsWithOtherKeys},
		{"2.4", check.Should, "a challenge ends with options, and the address of the server", qrChallenge,
			m.sendsAddress},
		{"2.5", check.Must, "a filter of a number lists the servers that match, and no others", sbFilter,
			filters("numplayers = 3", "numplayers = 4")},
		{"2.6", check.Must, "a filter of a comparison lists the servers that match, and no others", sbFilter,
			filters("numplayers > 2 and numplayers < 10 and maxplayers >= 16 and maxplayers != 3",
				"numplayers > 2 and maxplayers < 16")},
		{"2.7", check.Must, "a filter of a text lists the servers that match, and no others", sbFilter,
			filters("mapname = 'Check'", "mapname = 'Other'")},
		{"2.8", check.Should, "a filter with like lists the servers that match, and no others", sbFilter,
			filters(`hostname like "`+check.NameStart+`%"`, "hostname like '%"+check.NameStart+"'")},
		{"2.9", check.Should, "a filter with or, in which and comes first, lists the servers that match, and no others",
			sbFilter, filters("numplayers = 3 or mapname = 'Other' and gametype = 'x'",
				"(numplayers = 3 or mapname = 'Other') and gametype = 'x'")},
		{"2.10", check.Should, "a filter with not lists the servers that match, and no others", sbFilter,
			filters("not (numplayers = 4)", "not (numplayers = 3)")},
		{"2.11", check.Should, "a request for no list gets none", sbList, m.listsNothing},
		{"2.12", check.Should, "a list has no more servers than requested", sbList, m.limitsList},
		{"2.13", check.Should, "all keys of a server are sent to a client that requests them after the list", sbPush,
			m.sendsRules},
		{"3.1", check.Should, "a heartbeat of an unknown game gets no challenge", qrHeartbeat, m.ignoresGame},
		{"3.2", check.Must, "what masters send is not answered", qrFlood, m.answersNoAnswer},
		{"3.3", check.Must, "datagrams that are empty, of unknown types or cut are not answered", qrHeartbeat,
			m.ignoresUnknown},
		{"3.4", check.Must, "a request with another version of the protocol gets no list", sbList,
			refusesList("", func(_ Game, b []byte) []byte { b[3] = 9; return b })},
		{"3.5", check.Must, "a request with another encoding gets no list", sbList,
			refusesList("", func(_ Game, b []byte) []byte { b[4] = 9; return b })},
		{"3.6", check.Must, "a request that ends in the middle gets no list", sbList,
			refusesList("", func(_ Game, b []byte) []byte { return b[:len(b)/2] })},
		{"3.7", check.Must, "a request of another game gets no list", sbList, refusesList("", ofOtherGame)},
		{"3.8", check.Must, "a request with a length of 65535 gets no list", sbList,
			refusesList("", func(_ Game, b []byte) []byte { b[0], b[1] = 0xff, 0xff; return b })},
		{"3.9", check.Should, "a request with a filter that cannot be read gets no list", sbFilter,
			refusesList("numplayers > and (", func(_ Game, b []byte) []byte { return b })},
		{"3.10", check.Robust, "the master survives broken datagrams and requests", qrHeartbeat, m.survives},
		{"3.11", check.Must, "a request that comes in pieces gets a list", sbList, m.readsPieces},
		{"4.1", check.Must, "a heartbeat gets no more bytes than it has", qrFlood, m.doesNotAmplify},
		{"4.2", check.Should, "the shortest heartbeat gets no more bytes than it has", qrFlood, m.doesNotAmplifyShort},
		{"4.3", check.Must, "a wrong answer gets no more bytes than it has", qrFlood, m.doesNotAmplifyAnswers},
		{"4.4", check.Must, "two servers get different challenges, apart from their addresses", qrChallenge,
			m.hasRandomChallenges},
		{"4.5", check.Must, "a heartbeat of 1400 bytes registers a server", qrHeartbeat, m.takesLong},
		{"5.1", check.Must, "a heartbeat that ends after its keys registers a server", qrHeartbeat,
			takesHeartbeat(func(_ *gameSpyServer, b []byte) []byte { return b })},
		{"5.2", check.Should, "a heartbeat that ends in a count with nothing after it registers a server", qrHeartbeat,
			takesHeartbeat(func(_ *gameSpyServer, b []byte) []byte { return append(b, 0, 0) })},
		{"5.3", check.Should, "a heartbeat with keys that are called unknown, and with empty values, registers a server",
			qrHeartbeat, takesHeartbeat(withUnknownKeys)},
	}
}

// listing returns a server that is registered and listed, and its entry in the list.
func (m *gameSpyMaster) listing() (g *gameSpyServer, entry sb2.Server) {
	g = m.new(0)
	g.register()
	return g, g.listed("")
}

func (m *gameSpyMaster) isAvailable() {
	a := check.Parsed(m.Session, qr2.ParseAvailabilityAnswer, m.availability())
	if a.Availability != 0 {
		m.Failf("the game is %s", a.Availability)
	}
}

func (m *gameSpyMaster) confirms() {
	g := m.new(0)
	isRegistered := func(b []byte) bool {
		r, err := qr2.ParseRegistered(b)
		return err == nil && r.Key == g.key
	}
	if !slices.ContainsFunc(g.answer(g.right(g.challenge())), isRegistered) {
		m.Failf("no Registered with the instance key")
	}
}

// unlisted is a case that registers a server with a wrong answer, or none. The master must not
// list it.
func unlisted(answer func(g *gameSpyServer, c qr2.Challenge) string) func(m *gameSpyMaster) {
	return func(m *gameSpyMaster) {
		g := m.new(0)
		c := g.challenge()
		if answer != nil {
			g.answer(answer(g, c))
		}
		g.absent("")
	}
}

// refusesAnswerFrom is a case of an answer to the challenge of another address, before and after
// this address has received its own.
func refusesAnswerFrom(source int) func(m *gameSpyMaster) {
	return func(m *gameSpyMaster) {
		g := m.new(0)
		c := g.challenge()
		other := *g
		other.source = source
		defer other.withdraw()
		other.answer(g.right(c))
		other.challenge()
		other.answer(g.right(c))
		g.absent("")
	}
}

// takesChanges changes a server twice: servers may change without announcing it.
func (m *gameSpyMaster) takesChanges() {
	g, _ := m.listing()
	for level, state := range []qr2.State{qr2.StateChanged, qr2.StateSame} {
		g.info[2].Value = fmt.Sprint("Ch\xe4nged ☃", level)
		m.AskMaybe(0, g.heartbeat(state))
		m.Eventually(func() {
			_, entry := g.look("")
			g.hasKeys(entry, "mapname", g.info[2].Value)
		})
	}
}

func (m *gameSpyMaster) keepsForged() {
	g, _ := m.listing()
	for source := range 2 {
		other := *g
		other.source = source
		if source == 0 {
			other.key[0] ^= 0x55
		}
		m.AskMaybe(source, other.heartbeat(qr2.StateShutdown))
	}
	g.listed("")
}

func (m *gameSpyMaster) takesKeepalive() {
	g, _ := m.listing()
	const most = 11
	for _, b := range m.AtMost(0, check.MustBinary(qr2.Keepalive{Key: g.key}), most) {
		check.Parsed(m.Session, qr2.ParseKeepaliveAnswer, b)
	}
	g.listed("")
}

func (m *gameSpyMaster) ignoresKeepalive() {
	m.AskNothing(sources-1, check.MustBinary(qr2.Keepalive{Key: [4]byte{1, 2, 3, 4}}))
}

func (m *gameSpyMaster) takesRestart() {
	g, _ := m.listing()
	listed(m, 0) // with another instance key
	m.AwaitList(func() { g.absent("") })
}

func (m *gameSpyMaster) sendsAddress() {
	c := m.new(0).challenge()
	text, ok := c.ParseText()
	want := m.peer().Address(0)
	if !ok || !want.Addr().IsUnspecified() && text.Addr != want {
		m.Failf("the text is %q, and the server is at %s", c.Text, want)
	}
}

func (m *gameSpyMaster) ignoresGame() {
	unknown := *m.new(0)
	unknown.game.Name = "no such game"
	for _, b := range m.AskMaybe(0, unknown.heartbeat(qr2.StateStart)) {
		if _, err := qr2.ParseChallenge(b); err == nil {
			m.Fail(fuzzharness.ErrAnswered)
		}
	}
}

func (m *gameSpyMaster) answersNoAnswer() {
	key := m.new(0).key
	m.AskNothing(0, check.MustBinary(qr2.Challenge{Key: key, Text: "AbCdEf007F0000012B67"}),
		check.MustBinary(qr2.Registered{Key: key}), check.MustBinary(qr2.KeepaliveAnswer{Key: key}),
		check.MustBinary(qr2.AddError{Key: key, Code: 1, Text: "x"}))
}

func (m *gameSpyMaster) ignoresUnknown() {
	m.AskNothing(0, []byte{}, []byte{0x0b, 1, 2, 3, 4}, []byte{0xff, 1, 2, 3, 4}, []byte{3},
		[]byte{3, 1, 2, 3}, []byte{8, 1, 2, 3}, []byte{1, 1, 2, 3, 4}, []byte("\x09\x00\x00\x00\x00"))
	m.new(0).challenge()
}

func (m *gameSpyMaster) survives() {
	g := m.new(0)
	for range check.Mutations {
		m.AskMaybe(0, m.Mutated(g.heartbeat(qr2.StateStart)))
	}
	const streams = 20
	for range streams {
		m.converse(inOrder(m.Mutated(check.MustBinary(g.request("")))), nil)
	}
	listed(m, 0)
}

func (m *gameSpyMaster) doesNotAmplify() {
	heartbeat := m.new(0).heartbeat(qr2.StateStart)
	if len(m.AtMost(0, heartbeat, len(heartbeat))) == 0 {
		m.Fail(fuzzharness.ErrSilent)
	}
}

func (m *gameSpyMaster) doesNotAmplifyShort() {
	short := check.MustBinary(qr2.Heartbeat{
		Key: m.new(0).key, Info: []gamespy2.KeyValue{{Key: "gamename", Value: m.game.Name}},
	})
	m.AtMost(0, short, len(short))
}

func (m *gameSpyMaster) doesNotAmplifyAnswers() {
	g := m.new(0)
	wrong := check.MustBinary(qr2.ChallengeAnswer{Key: g.key, Text: changedAt(g.right(g.challenge()), 0)})
	m.AtMost(0, wrong, len(wrong))
}

func (m *gameSpyMaster) hasRandomChallenges() {
	var texts [2]string
	for source := range texts {
		c := m.new(source).challenge()
		texts[source] = c.Text[:max(0, len(c.Text)-len("00AABBCCDDEEFF"))]
	}
	if texts[0] == texts[1] {
		m.Failf("both start with %q: strangers can guess them", texts[0])
	}
}

func (m *gameSpyMaster) takesLong() {
	g := m.new(0)
	g.tables = false
	more := qr2.MaxHeartbeat - len(g.heartbeat(qr2.StateStart)) - len("filler\x00\x00")
	g.info = append(g.info, gamespy2.KeyValue{Key: "filler", Value: strings.Repeat("x", more)})
	g.register()
	g.listed("")
}

// takesHeartbeat is a case of a heartbeat in an odd form.
func takesHeartbeat(change func(g *gameSpyServer, b []byte) []byte) func(m *gameSpyMaster) {
	return func(m *gameSpyMaster) {
		g := m.new(0)
		g.tables = false
		g.registerWith(change(g, g.heartbeat(qr2.StateStart)))
		g.listed("")
	}
}

func withUnknownKeys(g *gameSpyServer, _ []byte) []byte {
	g.info = append(g.info, gamespy2.KeyValue{Key: "unknown", Value: "1"}, gamespy2.KeyValue{Key: "unknown", Value: ""})
	return g.heartbeat(qr2.StateStart)
}
