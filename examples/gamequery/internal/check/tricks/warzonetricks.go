package tricks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/warzone"
)

// warzoneDialect is a lobby of 3.1 to 4.6, for clients that fetch its list.
func warzoneDialect() dialect {
	return dialect{
		request: func(stream []byte) (request, rest []byte, err error) {
			_, rest, err = new(warzone.HostStream).NextRequest(stream)
			if errors.Is(err, lobbywire.ErrTruncated) {
				return nil, stream, nil
			}
			return stream[:len(stream)-len(rest)], rest, err
		},
		answer: func(request []byte, v lobbywire.View) []byte {
			m, _, _ := new(warzone.HostStream).NextRequest(request)
			if _, ok := m.(warzone.ListRequest); !ok {
				return nil
			}
			return listOf(warzone.ListReply{Games: []warzone.Game{gameOf(v)}})
		},
		closes: true,
		tricks: warzoneTricks,
	}
}

// gameOf returns a game of 4.x.
func gameOf(v lobbywire.View) warzone.Game {
	return warzone.Game{
		Version: warzone.Version4, Name: v.Name, Size: warzone.GameSize, Host: v.Host, HostPort: v.Port,
		MaxPlayers: uint32(*v.Max), CurrentPlayers: uint32(*v.Players), MapName: v.Map, VersionString: v.Version,
		NetcodeMajor: 1, NetcodeMinor: 2,
	}
}

// listOf returns a list with its status.
func listOf(m warzone.ListReply) []byte {
	m.Status = &warzone.Status{Code: warzone.StatusOK, Text: "OK"}
	return check.MustBinary(m)
}

// withWord returns a speech whose list has another number in a field.
func withWord(field string, value uint32) func([]byte, lobbywire.View) speech {
	return func(right []byte, _ lobbywire.View) speech {
		right = bytes.Clone(right)
		for _, f := range warzone.Explain[warzone.ListReply](right).Fields {
			if f.Name == field {
				binary.BigEndian.PutUint32(right[f.Offset:], value)
			}
		}
		return last(right)
	}
}

// filledName returns a speech whose list has other bytes in the field of the name, after
// the name.
func filledName(fill func(field []byte)) func([]byte, lobbywire.View) speech {
	return func(right []byte, v lobbywire.View) speech {
		right = bytes.Clone(right)
		for _, f := range warzone.Explain[warzone.ListReply](right).Fields {
			if f.Name == "games[0].name" {
				fill(right[f.Offset+len(v.Name) : f.Offset+f.Length])
			}
		}
		return last(right)
	}
}

// warzoneTricks returns the tricks, in the order of their numbers.
func warzoneTricks() []trick {
	return append(commonTricks(true), []trick{
		{number: "6", level: check.Must, sentence: "the list has two batches, and the first is to be ignored",
			source: byLobbies, shows: true,
			speech: func(_ []byte, v lobbywire.View) speech {
				old := v
				old.Name = "Older " + v.Name
				return last(listOf(warzone.ListReply{
					Games: []warzone.Game{gameOf(v)},
					Batches: &warzone.Batches{
						Parameters: warzone.IgnoreFirstBatch, Ignored: []warzone.Game{gameOf(old)},
					},
				}))
			}},
		{number: "7", level: check.Should, sentence: "a game with a size of 0 comes first", source: byLobbies, shows: true,
			speech: func(_ []byte, v lobbywire.View) speech {
				hidden := v
				hidden.Name = wrongName
				list := listOf(warzone.ListReply{Games: []warzone.Game{gameOf(hidden), gameOf(v)}})
				return withWord("games[0].size", 0)(list, v)
			}},
		{number: "8", level: check.Should, sentence: "a word of 0 follows the list", source: byLobbies, shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				return last(append(slices.Clip(right), 0, 0, 0, 0))
			}},
		{number: "9", level: check.Should, sentence: "the name has blanks up to the end of its field, and no zero byte",
			source: byLobbies, shows: true,
			speech: filledName(func(field []byte) { copy(field, bytes.Repeat([]byte{' '}, len(field))) }),
			shown:  func(line string) bool { return !strings.Contains(line, "   ") }},
		{number: "10", level: check.Should, sentence: "other bytes follow the zero byte of the name",
			source: byLobbies, shows: true, speech: filledName(func(field []byte) { copy(field[1:], wrongName) })},
		{number: "11", level: check.Should, sentence: "the name is in Latin-1", source: byLobbies, shows: true,
			view:  func(v *lobbywire.View) { v.Name += " M\xfcller" },
			shown: utf8.ValidString},
		{number: "12", level: check.Must, sentence: "the name has characters that control a terminal",
			source: byLobbies, shows: true,
			view: func(v *lobbywire.View) { v.Name += " \x1b[31m\x07" }, shown: bare},
		{number: "13", level: check.Must, sentence: "the game has an unknown version", source: byLobbies,
			speech: withWord("games[0].version", warzone.Version4+1)},
		{number: "14", level: check.Must, sentence: "the number of games is one too large", source: byLobbies,
			speech: withWord("games.count", 2)},
		{number: "15", level: check.Should, sentence: "the number of games is one too small", source: byLobbies,
			speech: withWord("games.count", 0)},
		{number: "16", level: check.Must, sentence: "the number of games is 4294967295", source: byLobbies,
			speech: withWord("games.count", 1<<32-1)},
	}...)
}
