package check

import (
	"encoding"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/warzone"
)

// stream returns messages as a stream. Those of the cases can all be encoded.
func stream(messages ...encoding.BinaryAppender) (b []byte) {
	for _, m := range messages {
		b, _ = m.AppendBinary(b)
	}
	return b
}

// judgedWarzone sends a stream on one connection, and judges the answers.
func judgedWarzone(s *Session, sent []byte) ([]byte, error) {
	answers, err := s.talk(0, sent)
	if err == nil {
		err = summary(fuzzharness.JudgeWarzone(sent, answers))
	}
	return answers, err
}

// warzoneList sends a list request, and returns the list.
func warzoneList(s *Session) (warzone.ListReply, error) {
	answers, err := judgedWarzone(s, stream(warzone.ListRequest{}))
	if err != nil {
		return warzone.ListReply{}, err
	}
	return warzone.ParseListReply(answers)
}

// A host is a peer at whose address lobbies can reach games.
type host interface {
	Host(game int, reply func(answers []byte) []byte) (netip.AddrPort, error)
}

// gameIDReplySize is the size of the answer to a GameIDRequest.
const gameIDReplySize = 4

// alive is the answer to a lobby that checks the game: the id is what the lobby sent
// first. It is nil before that.
func alive(answers []byte) []byte {
	id, err := warzone.ParseGameIDReply(answers[:min(len(answers), gameIDReplySize)])
	if err != nil {
		return nil
	}
	b, _ := warzone.AliveReply{Version: warzone.AliveVersion, GameID: id.GameID}.MarshalBinary()
	return b
}

// hosted gets an id, adds a game and updates it to others, and requests the list, on one
// connection. It returns the entries of the list with the name of the last. A lobby that
// refuses the game ends the case.
func hosted(s *Session, games []warzone.Game, more ...encoding.BinaryAppender) (
	last warzone.Game, entries []warzone.Game, err error,
) {
	games = slices.Clone(games)
	for i := range games {
		if _, err := s.place(0, &games[i]); err != nil {
			return last, nil, err
		}
	}
	last = games[len(games)-1]
	messages := []encoding.BinaryAppender{warzone.GameIDRequest{}}
	for i, g := range games {
		if i == 0 {
			messages = append(messages, warzone.AddGame{Game: g})
		} else {
			messages = append(messages, warzone.Update{Game: g})
		}
	}
	sent := stream(append(append(messages, more...), warzone.ListRequest{})...)
	answers, err := s.talk(0, sent)
	if err != nil {
		return last, nil, err
	}
	var reader warzone.LobbyStream
	rest := answers
	for i := range 1 + len(games) {
		m, after, err := reader.NextResponse(rest)
		if err != nil {
			return last, nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
		if status, ok := m.(warzone.Status); ok && !status.Code.OK() {
			return last, nil, skipped(fmt.Sprintf("the lobby refuses the game: %q", status.Text))
		}
		rest = after
	}
	if err := summary(fuzzharness.JudgeWarzone(sent, answers)); err != nil {
		return last, nil, err
	}
	list, err := warzone.ParseListReply(rest)
	if err != nil {
		return last, nil, err
	}
	for _, g := range list.Games {
		if g.Name == last.Name {
			entries = append(entries, g)
		}
	}
	return last, entries, nil
}

// place sets the port of a game to one that the lobby can reach, if there is one. It returns
// the address, which is not valid or unspecified if it is unknown.
func (s *Session) place(number int, game *warzone.Game) (netip.Addr, error) {
	h, ok := s.peer.(host)
	if !ok {
		return netip.Addr{}, nil
	}
	at, err := h.Host(number, alive)
	game.HostPort = at.Port()
	return at.Addr(), err
}

// shownGame is a case of games that are added and updated. The list must show the last
// one, with the address of its host.
func shownGame(games ...warzone.Game) func(*Session) error {
	return func(s *Session) error {
		last, entries, err := hosted(s, games)
		if err != nil {
			return err
		}
		if len(entries) != 1 {
			return fmt.Errorf("the list has the game %d times, want once", len(entries))
		}
		return s.isShown(last, entries[0])
	}
}

// isShown returns an error if a list does not have a game as its host has sent it, at the
// address of its host, or clients hide it.
func (s *Session) isShown(sent, got warzone.Game) error {
	want, err := s.place(0, &warzone.Game{})
	if err != nil {
		return err
	}
	at, wrong := netip.ParseAddr(got.Host)
	isKnown := want.IsValid() && !want.IsUnspecified()
	if wrong != nil || at.Is4In6() || at.IsUnspecified() || got.Host == sent.Host || isKnown && at != want {
		return fmt.Errorf("the game is at %q, which is not the address of its host", got.Host)
	}
	if got.Size == 0 {
		return errors.New("the game has no size: clients do not show it")
	}
	sent.Host, sent.SecondaryHosts, sent.Extra, sent.Size, sent.GameID = // which lobbies set
		got.Host, got.SecondaryHosts, got.Extra, got.Size, got.GameID
	if err := fuzzharness.Differ(sent.View(), got.View()); err != nil {
		return err
	}
	if sent != got {
		return fmt.Errorf("the game has other numbers: %+v, want %+v", got, sent)
	}
	return nil
}

// warzoneSuite has the cases of a lobby.
func warzoneSuite() *Suite {
	suite := &Suite{
		Protocol: "warzone",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainWarzone,
		sources:  1,
	}
	add := suite.add
	games := fuzzharness.WarzoneGames()
	game := games[0]
	games[3].Host = "203.0.113.9" // which is not the host's
	add("Flow", Must, "a list request is answered with a list and a status", func(s *Session) error {
		_, err := warzoneList(s)
		return err
	})
	add("Flow", Must, "a host gets an id, which is not 0", func(s *Session) error {
		_, err := judgedWarzone(s, stream(warzone.GameIDRequest{}))
		return err
	})
	add("Flow", Must, "two hosts get different ids", func(s *Session) error {
		var ids [2]uint32
		for i := range ids {
			answers, err := judgedWarzone(s, stream(warzone.GameIDRequest{}))
			if err != nil {
				return err
			}
			m, err := warzone.ParseGameIDReply(answers)
			if err != nil {
				return err
			}
			ids[i] = m.GameID
		}
		if ids[0] == ids[1] {
			return fmt.Errorf("both have the id %d", ids[0])
		}
		return nil
	})
	for i, name := range []string{
		"an ordinary game", "a game without players", "a full game", "a game with the longest texts",
		"a game with the largest numbers", "a game with odd characters",
	} {
		add("Flow", Must, name+" is listed as it was added, with the address of the host",
			shownGame(games[i]))
	}
	add("Flow", Must, "an update changes the list, and is answered with a status",
		shownGame(games[2], game))
	add("Flow", Must, "a Keep is not answered", func(s *Session) error {
		_, _, err := hosted(s, games[:1], warzone.Keep{}, warzone.Keep{})
		return err
	})
	add("Flow", Must, "the game of a connection that has ended is not listed", func(s *Session) error {
		gone := game
		gone.Name = "Gone"
		if _, _, err := hosted(s, []warzone.Game{gone}); err != nil {
			return err
		}
		return s.eventually(func() error {
			list, err := warzoneList(s)
			if slices.ContainsFunc(list.Games, func(g warzone.Game) bool { return g.Name == gone.Name }) {
				return errors.New("the game is still listed")
			}
			return err
		})
	})
	add("Strictness", Must, "an unknown command gets no list", func(s *Session) error {
		answers, err := s.talk(0, []byte("xxxx\x00"))
		if _, parsed := warzone.ParseListReply(answers); err == nil && len(answers) > 0 && parsed == nil {
			err = fmt.Errorf("%d bytes: a list", len(answers))
		}
		return err
	})
	add("Strictness", Must, "an incomplete game is not listed", func(s *Session) error {
		cut := stream(warzone.AddGame{Game: game})
		answers, err := s.talk(0, cut[:len(cut)-1])
		if err == nil && len(answers) > 0 {
			err = fmt.Errorf("%d bytes are sent for a game whose last byte is missing", len(answers))
		}
		return err
	})
	add("Strictness", Must, "a game of an unknown version is not listed", func(s *Session) error {
		sent := stream(warzone.AddGame{Game: game})
		sent[5+3] = 99 // the last byte of the version, after the command
		answers, err := s.talk(0, append(sent, stream(warzone.ListRequest{})...))
		if list, parsed := warzone.ParseListReply(answers); err == nil && parsed == nil && len(list.Games) > 0 &&
			list.Games[0].Name == game.Name {
			err = errors.New("the game is listed")
		}
		return err
	})
	add("Quirks", Should, `"list" in the forms that bots send is answered`, func(s *Session) error {
		answers, err := s.talk(0, []byte("list\n"))
		if _, parsed := warzone.ParseListReply(answers); err == nil && parsed != nil {
			return skipped("the lobby does not answer it")
		}
		return err
	})
	add("Quirks", Robust, "broken requests are answered as they must be, and the lobby survives them",
		func(s *Session) error {
			for range mutations {
				if _, err := judgedWarzone(s, s.mutated(stream(warzone.ListRequest{}))); err != nil {
					return err
				}
			}
			_, err := warzoneList(s)
			return err
		})
	addWarzoneCalls(suite)
	return suite
}

// explainWarzone explains the first message of a stream.
func explainWarzone(p Packet) lobbywire.Explanation {
	if p.Sent {
		return warzone.ExplainRequest(p.Bytes)
	}
	var requests warzone.HostStream
	m, _, _ := requests.NextRequest(p.Request)
	switch m.(type) {
	case warzone.GameIDRequest:
		return warzone.Explain[warzone.GameIDReply](p.Bytes)
	case warzone.AddGame, warzone.Update:
		return warzone.Explain[warzone.Status](p.Bytes)
	}
	return warzone.Explain[warzone.ListReply](p.Bytes)
}
