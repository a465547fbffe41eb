package fuzzharness

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// JudgeBomberman returns an error if the answers to a stream are wrong.
func JudgeBomberman(stream, answers []byte) error {
	strict := bomberman.Options{Strict: true}
	framer := bomberman.Framer{Options: strict}
	got := 0
	for rest := answers; len(rest) > 0; got++ {
		payload, after, err := framer.Next(rest)
		if err != nil {
			return explained(fmt.Errorf("answer %d: %w", got+1, err), bomberman.ExplainFrame(rest), rest)
		}
		if _, err := strict.ParseQueryGameServersResponse(payload); err != nil {
			return explained(fmt.Errorf("answer %d: %w", got+1, err), bomberman.ExplainMessage(payload), payload)
		}
		rest = after
	}
	least, most, _ := ExpectBomberman(stream)
	switch {
	case got < least:
		return fmt.Errorf("%d of %d queries are answered: %w", got, least, ErrSilent)
	case got > most && most == 0:
		return ErrAnswered
	case got > most:
		return fmt.Errorf("%d answers to %d queries: %w", got, most, ErrRepeated)
	}
	return nil
}

// ExpectBomberman returns the minimum and maximum number of answers to a stream. A
// server may or may not accept a message that is not strictly valid as a query.
// After the first invalid frame, it may treat the rest in any way.
func ExpectBomberman(stream []byte) (least, most int, err error) {
	strict := bomberman.Options{Strict: true}
	framer := bomberman.Framer{Options: strict}
	for {
		payload, after, err := framer.Next(stream)
		if errors.Is(err, lobbywire.ErrTruncated) {
			return least, most, err
		}
		if err != nil {
			return least, most + len(stream), err
		}
		m, _ := strict.ParseMessage(payload) // nil if it is invalid
		switch m.(type) {
		case bomberman.QueryGameServers:
			least++
			most++
		case bomberman.Unknown, nil:
			most++
		}
		stream = after
	}
}

// BombermanGames are registrations at the edges: short and long names, odd characters,
// and the lowest and highest ports.
func BombermanGames() []bomberman.RegisterGameServer {
	return []bomberman.RegisterGameServer{
		{ServerName: "Duel", ServerAddress: "192.0.2.7", ServerPort: 25601},
		{ServerName: "D", ServerAddress: "2001:db8::7", ServerPort: 1},
		{ServerName: strings.Repeat("n", 100), ServerAddress: "203.0.113.255", ServerPort: 65535},
		{ServerName: "\t\"\\%s<&>\x00\r\n☃\U0001f3ae", ServerAddress: "192.0.2.8", ServerPort: 256},
	}
}
