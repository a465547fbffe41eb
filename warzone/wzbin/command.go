package wzbin

import "strconv"

// A Command is the first byte of a frame. The proposal assigns none: the
// numbers are ours, in the order of the text proposal, and so is the rule that
// requests and answers share no number.
type Command uint8

// The commands.
const (
	CommandList      Command = 1
	CommandOpenGame  Command = 2
	CommandStartGame Command = 3
	CommandCloseGame Command = 4
	CommandCount     Command = 5
	CommandGame      Command = 6
	CommandDone      Command = 7
	CommandError     Command = 8
)

// String returns "list" and the like or, as an example, "command(9)".
func (c Command) String() string {
	switch c {
	case CommandList:
		return "list"
	case CommandOpenGame:
		return "openGame"
	case CommandStartGame:
		return "startGame"
	case CommandCloseGame:
		return "closeGame"
	case CommandCount:
		return "count"
	case CommandGame:
		return "game"
	case CommandDone:
		return "done"
	case CommandError:
		return "error"
	}
	return "command(" + strconv.Itoa(int(c)) + ")"
}
