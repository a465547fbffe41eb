package check

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// addBombermanCalls adds the cases that need connections to stay open.
func addBombermanCalls(suite *Suite) {
	add := suite.add
	add("Wire format", Must, "frames that come in pieces are read, and answered while the connection is open", inPieces)
	add("Flow", Must, "a client in the middle of a frame does not keep others waiting", func(s *Session) error {
		slow, err := s.dial(0)
		if err != nil {
			return err
		}
		defer slow.line.Close()
		parts := pieces(frames(bomberman.QueryGameServers{}), 10)
		slow.send(parts[0])
		if err := answered(1, frames(bomberman.QueryGameServers{}))(s); err != nil {
			return fmt.Errorf("the other client: %w", err)
		}
		slow.send(parts[1])
		_, err = nextList(slow)
		return err
	})
	add("Flow", Must, "the games of two connections are listed, and only the one is removed that is unregistered",
		twoGames(false, leaves(func(second *call) { second.send(frames(bomberman.UnregisterGameServer{})) })))
	add("Flow", Must, "the games of two connections are listed, and only the one is removed whose connection is reset",
		twoGames(false, leaves(func(second *call) { second.line.Close() })))
	add("Flow", Must, "an update changes only the game of its connection", twoGames(false, updatesOwn))
	add("Flow", Should, "two games of one name and address are listed, and only one is removed",
		twoGames(true, leaves(func(second *call) { second.send(frames(bomberman.UnregisterGameServer{})) })))
}

// nextList returns the list that comes next on an open connection, judged.
func nextList(c *call) (list bomberman.QueryGameServersResponse, err error) {
	answers, err := c.hear(func(answers []byte) bool {
		_, _, err := new(bomberman.Framer).Next(answers)
		return !errors.Is(err, lobbywire.ErrTruncated)
	})
	if err == nil {
		err = summary(fuzzharness.JudgeBomberman(frames(bomberman.QueryGameServers{}), answers))
	}
	if err != nil {
		return list, err
	}
	all, err := parsedLists(answers)
	if err != nil {
		return list, err
	}
	return all[0], nil
}

// inPieces is a case of a game and a query in pieces, with cuts in lengths, in objects and
// before their ends. The second query comes after the answer to the first.
func inPieces(s *Session) error {
	c, err := s.dial(0)
	if err != nil {
		return err
	}
	defer c.line.Close()
	game, query := fuzzharness.BombermanGames()[0], frames(bomberman.QueryGameServers{})
	game.ServerName = newServerName()
	c.send(pieces(frames(game), 1, 2, 30, -1)...)
	for range 2 {
		c.send(pieces(query, 1, 2, 10, -1)...)
		list, err := nextList(c)
		if err != nil {
			return err
		}
		if err := hasTimes(list, game.ServerName, 1); err != nil {
			return err
		}
	}
	return nil
}

// shows is a check of a list on an open connection: it has the first games, and not the others.
func shows(c *call, games []bomberman.RegisterGameServer, listed int) func() error {
	return func() error {
		c.send(frames(bomberman.QueryGameServers{}))
		list, err := nextList(c)
		if err != nil {
			return err
		}
		for _, g := range games {
			n, want := 0, 0
			for _, found := range list.Servers {
				if found.Name == g.ServerName && found.Address == g.ServerAddress && found.Port == g.ServerPort {
					n++
				}
			}
			for _, other := range games[:listed] {
				if other.ServerName == g.ServerName {
					want++
				}
			}
			if n != want {
				return fmt.Errorf("the list has the game %q at %s, port %d, %d times, want %d",
					clip(g.ServerName), g.ServerAddress, g.ServerPort, n, want)
			}
		}
		return nil
	}
}

// twoGames is a case in which two open connections list a game each. The games may be alike.
func twoGames(alike bool, then func(s *Session, calls [2]*call, games []bomberman.RegisterGameServer) error,
) func(*Session) error {
	return func(s *Session) error {
		games := fuzzharness.BombermanGames()[:2]
		for i := range games {
			games[i].ServerName = newServerName()
		}
		if alike {
			games[1] = games[0]
		}
		var calls [2]*call
		for i, g := range games {
			c, err := s.dial(0)
			if err != nil {
				return err
			}
			defer c.line.Close()
			c.send(frames(g))
			calls[i] = c
			for _, c := range calls[:i+1] {
				if err := s.eventually(shows(c, games[:i+1], i+1)); err != nil {
					return err
				}
			}
		}
		return then(s, calls, games)
	}
}

// leaves ends the second game.
func leaves(end func(second *call)) func(*Session, [2]*call, []bomberman.RegisterGameServer) error {
	return func(s *Session, calls [2]*call, games []bomberman.RegisterGameServer) error {
		end(calls[1])
		return s.eventually(shows(calls[0], games, 1))
	}
}

// updatesOwn updates the first game, and looks from both connections.
func updatesOwn(s *Session, calls [2]*call, games []bomberman.RegisterGameServer) error {
	update := bomberman.UpdateGameServerStats{Players: bomberman.PlayerCount{Current: 2, Max: 3}, GameplayMode: 2}
	look := func(c *call) error {
		c.send(frames(bomberman.QueryGameServers{}))
		list, err := nextList(c)
		if err != nil {
			return err
		}
		first, _ := entry(list, games[0].ServerName)
		second, _ := entry(list, games[1].ServerName)
		if first.GameplayMode != update.GameplayMode || second.GameplayMode == update.GameplayMode {
			return fmt.Errorf("the games have the modes %d and %d, and the first was set to %d",
				first.GameplayMode, second.GameplayMode, update.GameplayMode)
		}
		return nil
	}
	calls[0].send(frames(update))
	if err := look(calls[0]); err != nil {
		return err
	}
	return s.eventually(func() error { return look(calls[1]) })
}
