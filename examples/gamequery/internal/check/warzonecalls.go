package check

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/warzone"
)

// addWarzoneCalls adds the cases that need connections to stay open.
func addWarzoneCalls(suite *Suite) {
	add := suite.add
	request := stream(warzone.ListRequest{})
	add("Wire format", Must, "a list request that comes in pieces is answered while the connection is open",
		func(s *Session) error {
			c, err := s.dial(0)
			if err != nil {
				return err
			}
			defer c.line.Close()
			c.send(pieces(request, 1, -1)...)
			return nextGames(c)
		})
	add("Flow", Must, "a client in the middle of a request does not keep others waiting", func(s *Session) error {
		slow, err := s.dial(0)
		if err != nil {
			return err
		}
		defer slow.line.Close()
		parts := pieces(request, 2)
		slow.send(parts[0])
		if _, err := warzoneList(s); err != nil {
			return fmt.Errorf("the other client: %w", err)
		}
		slow.send(parts[1])
		return nextGames(slow)
	})
	add("Wire format", Must, "the messages of a host that come in pieces are read, and answered one by one",
		func(s *Session) error {
			game := fuzzharness.WarzoneGames()[0]
			game.Name = newServerName()
			c, err := hostOn(s, 0, &game)
			if err != nil {
				return err
			}
			defer c.line.Close()
			c.send(stream(warzone.Keep{}))
			return s.eventually(showsGames(s, []warzone.Game{game}, 1))
		})
	add("Flow", Must, "the games of two hosts are listed, and only the one is removed whose connection is reset",
		func(s *Session) error {
			games := fuzzharness.WarzoneGames()[:2]
			for i := range games {
				games[i].Name = newServerName()
				c, err := hostOn(s, i, &games[i])
				if err != nil {
					return err
				}
				defer c.line.Close()
				if i == 0 {
					continue
				}
				if err := s.eventually(showsGames(s, games, len(games))); err != nil {
					return err
				}
				c.line.Close()
			}
			return s.eventually(showsGames(s, games, 1))
		})
	add("Limits", Must, "a list has no more games than clients read", longList)
}

// longList is a case of a list with more games than the first batch may have.
func longList(s *Session) error {
	for i := range warzone.MaxFirstBatch + 1 {
		game := fuzzharness.WarzoneGames()[0]
		game.Name = newServerName()
		c, err := hostOn(s, 0, &game)
		if err != nil {
			return skipped(fmt.Sprintf("the lobby lists %d games of a host: %v", i, err))
		}
		defer c.line.Close()
	}
	list, err := warzoneList(s)
	if first := len(list.Games); err == nil && list.Batches == nil && first > warzone.MaxFirstBatch {
		err = fmt.Errorf("%d games in the first batch, and old clients have room for %d", first, warzone.MaxFirstBatch)
	}
	return err
}

// nextGames hears the list that comes next on an open connection.
func nextGames(c *call) error {
	answers, err := c.hear(func(answers []byte) bool {
		_, err := warzone.ParseListReply(answers)
		return !errors.Is(err, lobbywire.ErrTruncated)
	})
	if err != nil {
		return err
	}
	return summary(fuzzharness.JudgeWarzone(stream(warzone.ListRequest{}), answers))
}

// hostOn hosts a game on a connection, with messages in pieces, and sets its port. There may be
// two games.
func hostOn(s *Session, number int, game *warzone.Game) (*call, error) {
	if _, err := s.place(number, game); err != nil {
		return nil, err
	}
	c, err := s.dial(0)
	if err != nil {
		return nil, err
	}
	c.send(pieces(stream(warzone.GameIDRequest{}), 2)...)
	_, err = c.hear(func(answers []byte) bool { return len(answers) >= gameIDReplySize })
	if err != nil {
		c.line.Close()
		return nil, err
	}
	c.send(pieces(stream(warzone.AddGame{Game: *game}), 3, 7, 100, -1)...)
	answers, err := c.hear(func(answers []byte) bool {
		_, err := warzone.ParseStatus(answers)
		return !errors.Is(err, lobbywire.ErrTruncated)
	})
	var status warzone.Status
	if err == nil {
		status, err = warzone.ParseStatus(answers)
	}
	if err == nil && !status.Code.OK() {
		err = skipped(fmt.Sprintf("the lobby refuses the game: %q", status.Text))
	}
	if err != nil {
		c.line.Close()
		return nil, err
	}
	return c, nil
}

// showsGames is a check of a list: it has the first games as they were added, and not the
// others.
func showsGames(s *Session, games []warzone.Game, listed int) func() error {
	return func() error {
		list, err := warzoneList(s)
		if err != nil {
			return err
		}
		for i, want := range games {
			var found []warzone.Game
			for _, g := range list.Games {
				if g.Name == want.Name {
					found = append(found, g)
				}
			}
			n := 0
			if i < listed {
				n = 1
			}
			if len(found) != n {
				return fmt.Errorf("the list has the game %q %d times, want %d", want.Name, len(found), n)
			}
			if n == 0 {
				continue
			}
			if err := s.isShown(want, found[0]); err != nil {
				return fmt.Errorf("the game %q: %w", want.Name, err)
			}
		}
		return nil
	}
}
