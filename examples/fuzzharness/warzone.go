package fuzzharness

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// commandSize is the size of a command without its last byte.
const commandSize = 4

// JudgeWarzone returns an error if the answers to a stream are wrong. Answers
// do not contain their types, which follow from the requests.
func JudgeWarzone(stream, answers []byte) error {
	requests := warzone.HostStream{Options: warzone.Options{Strict: true}}
	id, host := false, false // the connection has requested an id, has added a game
	for {
		m, rest, err := requests.NextRequest(stream)
		if errors.Is(err, lobbywire.ErrTruncated) {
			if len(stream) == commandSize {
				return nil // a lobby may read a command without its last byte
			}
			break
		}
		if err != nil {
			return nil // a lobby may treat the rest in any way
		}
		stream = rest
		switch m := m.(type) {
		case warzone.GameIDRequest:
			if id || host {
				return nil // real games request an id once, before they add the game
			}
			id = true
			answers, err = judgeGameID(answers)
		case warzone.AddGame:
			if m.Game.Layout != warzone.LayoutVersioned || m.Game.Version != version {
				return nil // a lobby need not know hosts of all versions
			}
			host = true
			answers, err = judgeStatus(answers)
		case warzone.Update:
			answers, err = judgeStatus(answers)
		case warzone.ListRequest:
			return judgeList(answers)
		case warzone.Keep:
		default:
			return nil // a lobby need not know the request
		}
		if err != nil {
			return err
		}
	}
	if len(answers) > 0 {
		return fmt.Errorf("%d bytes that answer nothing: %w", len(answers), ErrAnswered)
	}
	return nil
}

func judgeGameID(answers []byte) (rest []byte, err error) {
	first := answers[:min(len(answers), 4)]
	m, err := warzone.ParseGameIDReply(first)
	if err == nil && m.GameID == 0 {
		err = errors.New("0 is no id")
	}
	if err != nil {
		return nil, explained(err, warzone.Explain[warzone.GameIDReply](first), first)
	}
	return answers[len(first):], nil
}

func judgeStatus(answers []byte) (rest []byte, err error) {
	s := warzone.LobbyStream{HasGameID: true}
	_, rest, err = s.NextResponse(answers)
	if err != nil {
		return nil, explained(err, warzone.Explain[warzone.Status](answers), answers)
	}
	return rest, nil
}

// judgeList returns an error if the answer to a list request is wrong. After
// the answer, a lobby closes the connection.
func judgeList(answers []byte) error {
	list, err := warzone.Options{Strict: true}.ParseListReply(answers)
	if err != nil {
		return explained(err, warzone.Explain[warzone.ListReply](answers), answers)
	}
	for i, game := range list.Games {
		if game.Host == "" {
			return fmt.Errorf("game %d has no address: nobody can join it", i)
		}
	}
	if list.Status == nil {
		return errors.New("no status after the games: clients since 3.1 show none")
	}
	return nil
}

// WarzoneGames are games at the edges: empty, full, with the longest texts, the largest
// numbers and odd characters.
func WarzoneGames() []warzone.Game {
	ordinary := warzone.Game{
		Version: warzone.Version4, Name: "Duel", Size: warzone.GameSize, MaxPlayers: 10, CurrentPlayers: 2,
		Extra: "Extra", HostPort: 25601, MapName: "Harbor", HostName: "Ann", VersionString: "4.3.3", ModList: "a, b",
		NetcodeMajor: 1, NetcodeMinor: 2,
	}
	empty, full, texts, numbers, odd := ordinary, ordinary, ordinary, ordinary, ordinary
	empty.CurrentPlayers, empty.ModList = 0, ""
	full.CurrentPlayers = full.MaxPlayers
	texts.Name, texts.VersionString = strings.Repeat("n", 63), strings.Repeat("v", 63)
	texts.MapName, texts.HostName = strings.Repeat("p", 39), strings.Repeat("h", 39)
	texts.ModList = strings.Repeat("m", 254)
	numbers.HostPort, numbers.CurrentPlayers, numbers.MaxPlayers = 65535, math.MaxInt32-1, math.MaxInt32
	odd.Name, odd.MapName, odd.HostName = "\t\"\\%s\r\n☃\U0001f3ae", "\x01☃;", "<&>☃"
	return []warzone.Game{ordinary, empty, full, texts, numbers, odd, ordinary}
}
