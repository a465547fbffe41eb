package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// gameSpyMasterSuite has the cases of a master of GameSpy: QR2 and server browsing.
func gameSpyMasterSuite(game Game) *Suite {
	var last *gameSpyServer // that was registered
	suite := &Suite{
		Protocol: "gamespy2-master",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainGameSpyMaster(game),
		sources:  sources,
		answer:   answerGameSpy(game),
		withdraw: func(*Session) {
			if last != nil {
				last.withdraw()
			}
		},
	}
	add := suite.add
	// with is a case with a new server at source 0, which is withdrawn at the end.
	with := func(run func(g *gameSpyServer) error) func(*Session) error {
		return func(s *Session) error {
			last = newGameSpyServer(s, 0, game)
			defer last.withdraw()
			return run(last)
		}
	}
	// listing is a case with a server that is registered and listed.
	listing := func(run func(g *gameSpyServer, entry sb2.Server) error) func(*Session) error {
		return with(func(g *gameSpyServer) error {
			err := g.register()
			if err != nil {
				return err
			}
			entry, err := g.listed("")
			if err != nil {
				return err
			}
			return run(g, entry)
		})
	}
	// listingTwo is a case with a second server, at source 1, that is listed as well.
	listingTwo := func(run func(g, other *gameSpyServer) error) func(*Session) error {
		return listing(func(g *gameSpyServer, _ sb2.Server) error {
			other := newGameSpyServer(g.session, 1, game)
			defer other.withdraw()
			err := other.register()
			if err != nil {
				return err
			}
			if _, err := other.listed(""); err != nil {
				return err
			}
			return run(g, other)
		})
	}
	// unlisted is a case that registers a server wrongly. The master must not list it.
	unlisted := func(run func(g *gameSpyServer, c qr2.Challenge) error) func(*Session) error {
		return with(func(g *gameSpyServer) error {
			c, err := g.challenge()
			if err == nil {
				err = run(g, c)
			}
			if err != nil {
				return err
			}
			return g.absent("")
		})
	}
	add("Flow", Should, "an availability request is answered: the game is available", func(s *Session) error {
		answers, err := s.ask(sources-1, mustBinary(qr2.AvailabilityRequest{GameName: game.Name}))
		if err != nil {
			return err
		}
		if len(answers) == 0 {
			return fmt.Errorf("%w: servers and clients of the SDK wait for 4 s", errSilent)
		}
		m, err := qr2.ParseAvailabilityAnswer(answers[0])
		if err == nil && m.Availability != 0 {
			err = fmt.Errorf("the game is %s", m.Availability)
		}
		return err
	})
	add("Flow", Must, "a heartbeat is answered with a challenge with its instance key",
		with(func(g *gameSpyServer) error {
			_, err := g.challenge()
			return err
		}))
	add("Flow", Must, "a server that answers its challenge is listed, once",
		listing(func(*gameSpyServer, sb2.Server) error { return nil }))
	add("Flow", Should, "the right answer is answered with Registered", with(func(g *gameSpyServer) error {
		c, err := g.challenge()
		if err != nil {
			return err
		}
		answers, err := g.answer(g.right(c))
		isRegistered := func(b []byte) bool {
			m, err := qr2.ParseRegistered(b)
			return err == nil && m.Key == g.key
		}
		if err == nil && !slices.ContainsFunc(answers, isRegistered) {
			err = errors.New("no Registered with the instance key")
		}
		return err
	}))
	add("Flow", Must, "a server that does not answer its challenge is not listed",
		unlisted(func(*gameSpyServer, qr2.Challenge) error { return nil }))
	for _, wrong := range []struct {
		sentence string
		answer   func(g *gameSpyServer, c qr2.Challenge) string
	}{
		{"whose first character is wrong", func(g *gameSpyServer, c qr2.Challenge) string {
			return changedAt(g.right(c), 0)
		}},
		{"whose last character is wrong", func(g *gameSpyServer, c qr2.Challenge) string {
			return changedAt(g.right(c), -1)
		}},
		{"that is empty", func(*gameSpyServer, qr2.Challenge) string { return "" }},
		{"that is the challenge", func(_ *gameSpyServer, c qr2.Challenge) string { return c.Text }},
		{"with another secret key", func(g *gameSpyServer, c qr2.Challenge) string {
			return string(qr2.AppendAnswer(nil, c.Text, "x"+g.game.Key))
		}},
	} {
		add("Flow", Must, "a server with an answer "+wrong.sentence+" is not listed",
			unlisted(func(g *gameSpyServer, c qr2.Challenge) error {
				_, err := g.answer(wrong.answer(g, c))
				return err
			}))
	}
	for source, where := range []string{1: "another port", 2: "another host"} {
		if source == 0 {
			continue
		}
		add("Flow", Must, "an answer from "+where+" lists no server", unlisted(func(g *gameSpyServer, c qr2.Challenge) error {
			other := *g
			other.source = source
			defer other.withdraw()
			if _, err := other.answer(g.right(c)); err != nil {
				return err
			}
			// Also if the other sends the same heartbeat, and gets a challenge of its own.
			if _, err := other.challenge(); err != nil {
				return err
			}
			if _, err := other.answer(g.right(c)); err != nil {
				return err
			}
			return g.absent("")
		}))
	}
	add("Flow", Must, "two servers of a host are listed", listingTwo(func(g, _ *gameSpyServer) error {
		_, err := g.listed("")
		return err
	}))
	add("Flow", Must, "heartbeats with other values change the list", listing(func(g *gameSpyServer, _ sb2.Server) error {
		for level, state := range []qr2.State{qr2.StateChanged, qr2.StateSame} { // servers may change without saying so
			g.info[2].Value = fmt.Sprint("Ch\xe4nged ☃", level)
			if _, err := g.session.askMaybe(0, g.heartbeat(state)); err != nil {
				return err
			}
			err := g.session.eventually(func() error {
				_, entry, err := g.look("")
				if err != nil {
					return err
				}
				return hasKeys(entry, "mapname", g.info[2].Value)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	add("Flow", Must, "a server whose heartbeat says that it stops is not listed",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			g.withdraw()
			return g.gone()
		}))
	add("Flow", Must, "a heartbeat with another instance key, or from another port, removes no server",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			for source := range 2 {
				other := *g
				other.source = source
				if source == 0 {
					other.key[0] ^= 0x55
				}
				if _, err := g.session.askMaybe(source, other.heartbeat(qr2.StateShutdown)); err != nil {
					return err
				}
			}
			_, err := g.listed("")
			return err
		}))
	add("Flow", Must, "a keepalive keeps a server listed, and its answer has at most 11 bytes",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			answers, err := g.session.askMaybe(0, mustBinary(qr2.Keepalive{Key: g.key}))
			for _, b := range answers {
				if _, wrong := qr2.ParseKeepaliveAnswer(b); wrong != nil {
					err = errors.Join(err, wrong)
				}
			}
			if err := errors.Join(err, atMost(answers, 11)); err != nil {
				return err
			}
			_, err = g.listed("")
			return err
		}))
	add("Flow", Should, "a keepalive of an unknown server is not answered", func(s *Session) error {
		return s.askNothing(sources-1, mustBinary(qr2.Keepalive{Key: [4]byte{1, 2, 3, 4}}))
	})
	suite.addSlow("Flow", Must, "a silent server is removed within ten minutes, and no server with keepalives",
		listingTwo(func(g, other *gameSpyServer) error {
			err := g.session.expires(expiry, func() error {
				_, err := g.session.askMaybe(other.source, mustBinary(qr2.Keepalive{Key: other.key}))
				return cmp.Or(err, g.absent(""))
			})
			if err == nil {
				_, err = other.listed("")
			}
			return err
		}))
	add("Wire format", Must, "the list is encrypted, and has the keys that were requested",
		listing(func(_ *gameSpyServer, entry sb2.Server) error {
			return hasKeys(entry, "mapname", "Check", "gametype", "test", "numplayers", "3", "maxplayers", "16")
		}))
	add("Wire format", Must, "the list has the address from which the server registered, not the local port",
		with(func(g *gameSpyServer) error {
			want := g.session.peer.(master).Address(0)
			port := func(port uint16) []byte { return fmt.Appendf(nil, "localport\x00%d\x00", port) }
			heartbeat := bytes.Replace(g.heartbeat(qr2.StateStart), port(want.Port()), port(want.Port()^1), 1)
			if err := g.registerWith(heartbeat); err != nil {
				return err
			}
			if _, err := g.listed(""); err != nil {
				return err
			}
			l, entry, err := g.look("")
			if err != nil {
				return err
			}
			got := entry.AddrPort(l.start.DefaultPort)
			if got.Port() != want.Port() || !want.Addr().IsUnspecified() && got.Addr() != want.Addr() {
				return fmt.Errorf("it has %s, want %s", got, want)
			}
			return nil
		}))
	add("Wire format", Must, "two lists are encrypted with different keys", with(func(g *gameSpyServer) error {
		first, err := g.list(g.request(""))
		if err != nil {
			return err
		}
		second, err := g.list(g.request(""))
		if err == nil && bytes.Equal(first.head.Challenge, second.head.Challenge) {
			err = errors.New("the challenges of the master are the same")
		}
		return err
	}))
	add("Wire format", Should, "a challenge ends with options, and the address of the server",
		with(func(g *gameSpyServer) error {
			c, err := g.challenge()
			if err != nil {
				return err
			}
			text, ok := c.ParseText()
			want := g.session.peer.(master).Address(0)
			if !ok || !want.Addr().IsUnspecified() && text.Addr != want {
				return fmt.Errorf("the text is %q, and the server is at %s", c.Text, want)
			}
			return nil
		}))
	for _, f := range []struct {
		level        Level
		what         string
		right, wrong string
	}{
		{Must, "of a number", "numplayers = 3", "numplayers = 4"},
		{Must, "of a comparison", "numplayers > 2 and numplayers < 10 and maxplayers >= 16 and maxplayers != 3",
			"numplayers > 2 and maxplayers < 16"},
		{Must, "of a text", "mapname = 'Check'", "mapname = 'Other'"},
		{Should, "with like", `hostname like "` + serverName + `%"`, "hostname like '%" + serverName + "'"},
		{Should, "with or, in which and comes first", "numplayers = 3 or mapname = 'Other' and gametype = 'x'",
			"(numplayers = 3 or mapname = 'Other') and gametype = 'x'"},
		{Should, "with not", "not (numplayers = 4)", "not (numplayers = 3)"},
	} {
		add("Wire format", f.level, "a filter "+f.what+" lists the servers that match, and no others",
			listing(func(g *gameSpyServer, _ sb2.Server) error {
				if _, err := g.listed(f.right); err != nil {
					return fmt.Errorf("%q: %w", f.right, err)
				}
				if err := g.absent(f.wrong); err != nil {
					return fmt.Errorf("%q: %w", f.wrong, err)
				}
				return nil
			}))
	}
	add("Wire format", Should, "a request for no list gets none", listing(func(g *gameSpyServer, _ sb2.Server) error {
		request := g.request("")
		request.Options |= sb2.OptionNoList
		heard, err := g.session.converse(inOrder(mustBinary(request)), nil)
		if err == nil {
			_, err = sb2.ParseAnswer(heard, game.Key, request)
		}
		return err
	}))
	limited := func(g, _ *gameSpyServer) error {
		request := g.request("")
		request.Options |= sb2.OptionLimit
		request.MaxServers = 1
		l, err := g.list(request)
		if err == nil && len(l.servers) != 1 {
			err = fmt.Errorf("%d servers, want 1", len(l.servers))
		}
		return err
	}
	add("Wire format", Should, "a list has no more servers than requested", listingTwo(limited))
	add("Wire format", Should, "all keys of a server are sent to a client that requests them after the list",
		listing(func(g *gameSpyServer, entry sb2.Server) error { return g.rules(entry) }))
	add("Strictness", Should, "a heartbeat of an unknown game gets no challenge", with(func(g *gameSpyServer) error {
		unknown := *g
		unknown.game.Name = "no such game"
		answers, err := g.session.askMaybe(0, unknown.heartbeat(qr2.StateStart))
		for _, b := range answers {
			if _, wrong := qr2.ParseChallenge(b); wrong == nil {
				err = errors.New("it gets a challenge")
			}
		}
		return err
	}))
	add("Strictness", Must, "what masters send is not answered", with(func(g *gameSpyServer) error {
		return g.session.sendAll(0, mustBinary(qr2.Challenge{Key: g.key, Text: "AbCdEf007F0000012B67"}),
			mustBinary(qr2.Registered{Key: g.key}), mustBinary(qr2.KeepaliveAnswer{Key: g.key}),
			mustBinary(qr2.AddError{Key: g.key, Code: 1, Text: "x"}))
	}))
	add("Strictness", Must, "datagrams that are empty, of unknown types or cut are not answered",
		with(func(g *gameSpyServer) error {
			err := g.session.sendAll(0, []byte{}, []byte{0x0b, 1, 2, 3, 4}, []byte{0xff, 1, 2, 3, 4}, []byte{3},
				[]byte{3, 1, 2, 3}, []byte{8, 1, 2, 3}, []byte{1, 1, 2, 3, 4}, []byte("\x09\x00\x00\x00\x00"))
			if err != nil {
				return err
			}
			_, err = g.challenge()
			return err
		}))
	for _, bad := range []struct {
		sentence string
		change   func(b []byte) []byte
	}{
		{"with another version of the protocol", func(b []byte) []byte { b[3] = 9; return b }},
		{"with another encoding", func(b []byte) []byte { b[4] = 9; return b }},
		{"that ends in the middle", func(b []byte) []byte { return b[:len(b)/2] }},
		{"of another game", func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(game.Name), bytes.Repeat([]byte("x"), len(game.Name)))
		}},
		{"with a length of 65535", func(b []byte) []byte { b[0], b[1] = 0xff, 0xff; return b }},
	} {
		add("Strictness", Must, "a request "+bad.sentence+" gets no list",
			listing(func(g *gameSpyServer, _ sb2.Server) error {
				return g.refused(g.request(""), bad.change)
			}))
	}
	add("Strictness", Should, "a request with a filter that cannot be read gets no list",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			return g.refused(g.request("numplayers > and ("), func(b []byte) []byte { return b })
		}))
	add("Strictness", Robust, "the master survives broken datagrams and requests", with(func(g *gameSpyServer) error {
		for range mutations {
			b := g.session.mutated(g.heartbeat(qr2.StateStart))
			if _, err := g.session.askMaybe(0, b); err != nil {
				return err
			}
		}
		const streams = 20
		for range streams {
			if _, err := g.session.converse(inOrder(g.session.mutated(mustBinary(g.request("")))), nil); err != nil {
				return err
			}
		}
		if err := g.register(); err != nil {
			return err
		}
		_, err := g.listed("")
		return err
	}))
	add("Limits", Must, "a heartbeat gets no more bytes than it has", with(func(g *gameSpyServer) error {
		heartbeat := g.heartbeat(qr2.StateStart)
		answers, err := g.session.ask(0, heartbeat)
		if err != nil {
			return err
		}
		return atMost(answers, len(heartbeat))
	}))
	add("Limits", Should, "the shortest heartbeat gets no more bytes than it has", with(func(g *gameSpyServer) error {
		short := mustBinary(qr2.Heartbeat{Key: g.key, Info: []gamespy2.KeyValue{{Key: "gamename", Value: game.Name}}})
		answers, err := g.session.askMaybe(0, short)
		if err != nil {
			return err
		}
		return atMost(answers, len(short))
	}))
	add("Limits", Must, "a wrong answer gets no more bytes than it has", with(func(g *gameSpyServer) error {
		c, err := g.challenge()
		if err != nil {
			return err
		}
		wrong := changedAt(g.right(c), 0)
		answers, err := g.answer(wrong)
		if err != nil {
			return err
		}
		return atMost(answers, len(mustBinary(qr2.ChallengeAnswer{Key: g.key, Text: wrong})))
	}))
	differ := func(g *gameSpyServer) error {
		var texts [2]string
		for source := range texts {
			g.source = source
			c, err := g.challenge()
			g.withdraw()
			if err != nil {
				return err
			}
			texts[source] = c.Text[:max(0, len(c.Text)-len("00AABBCCDDEEFF"))]
		}
		g.source = 0
		if texts[0] == texts[1] {
			return fmt.Errorf("both start with %q: strangers can guess them", texts[0])
		}
		return nil
	}
	add("Limits", Must, "two servers get different challenges, apart from their addresses", with(differ))
	add("Limits", Must, "a heartbeat of 1400 bytes registers a server", with(func(g *gameSpyServer) error {
		g.tables = false
		more := qr2.MaxHeartbeat - len(g.heartbeat(qr2.StateStart)) - len("filler\x00\x00")
		g.info = append(g.info, gamespy2.KeyValue{Key: "filler", Value: strings.Repeat("x", more)})
		if err := g.register(); err != nil {
			return err
		}
		_, err := g.listed("")
		return err
	}))
	for _, quirk := range []struct {
		level    Level
		sentence string
		change   func(g *gameSpyServer, b []byte) []byte
	}{
		{Must, "that ends after its keys", func(_ *gameSpyServer, b []byte) []byte { return b }},
		{Should, "that ends in a count with nothing after it", func(_ *gameSpyServer, b []byte) []byte {
			return append(b, 0, 0)
		}},
		{Should, "with keys that are called unknown, and with empty values", func(g *gameSpyServer, _ []byte) []byte {
			g.info = append(g.info, gamespy2.KeyValue{Key: "unknown", Value: "1"}, gamespy2.KeyValue{Key: "unknown", Value: ""})
			return g.heartbeat(qr2.StateStart)
		}},
	} {
		add("Quirks", quirk.level, "a heartbeat "+quirk.sentence+" registers a server", with(func(g *gameSpyServer) error {
			g.tables = false
			if err := g.registerWith(quirk.change(g, g.heartbeat(qr2.StateStart))); err != nil {
				return err
			}
			_, err := g.listed("")
			return err
		}))
	}
	add("Flow", Must, "a server that starts again, with another instance key, is listed once",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			again := newGameSpyServer(g.session, 0, game)
			defer again.withdraw()
			if err := again.register(); err != nil {
				return err
			}
			if _, err := again.listed(""); err != nil {
				return err
			}
			return g.gone()
		}))
	add("Strictness", Must, "a request that comes in pieces gets a list",
		listing(func(g *gameSpyServer, _ sb2.Server) error {
			request := g.request("")
			l, err := g.listIn(request, pieces(mustBinary(request), 1, 40)...)
			if err == nil {
				_, err = g.find(l)
			}
			return err
		}))
	return suite
}
