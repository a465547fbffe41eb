package wzproposal

import (
	"slices"
	"strconv"
)

// A command is the first byte of a frame, and the index of the first word of a line in
// words.
type command uint8

const (
	commandList command = 1 + iota
	commandOpenGame
	commandStartGame
	commandCloseGame
	commandCount
	commandGame
	commandDone
	commandError
)

// words are the names of the commands, and the first words of lines. The line of a
// [Game] has no first word.
var words = [...]string{
	commandList:      "LIST",
	commandOpenGame:  "OPENGAME",
	commandStartGame: "STARTGAME",
	commandCloseGame: "CLOSEGAME",
	commandCount:     "COUNT",
	commandGame:      "GAME",
	commandDone:      "DONE",
	commandError:     "ERROR",
}

// name returns the word of a command, or else its number.
func (c command) name() string {
	if int(c) < len(words) && words[c] != "" {
		return words[c]
	}
	return strconv.Itoa(int(c))
}

// commandOf returns the command whose name is s.
func commandOf(s string) (c command, ok bool) {
	if n := slices.Index(words[:], s); n > 0 {
		return command(n), true
	}
	n, err := strconv.ParseUint(s, 10, 8)
	c = command(n)
	return c, err == nil && c.name() == s
}

// otherCommand is the reason for refusing a command of another message.
const otherCommand = "belongs to another message"
