package refusals

import (
	"errors"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// fields are the meanings of fields in announcements, by their names in errors. Only games of
// Warzone 4.7 have such short names.
var fields = map[string]string{
	"v": "the version of the game", "netv": "the version of the network protocol", "name": "the name of the game",
	"host": "the player who hosts", "host.name": "the name of the player who hosts", "map": "the map",
	"players": "the numbers of players", "players.cur": "the number of players",
	"players.max": "the number of places for players",
}

// textOf describes a refusal in a sentence, without the terms of a codec.
func textOf(r lobbywire.Refusal) string {
	if wrong, ok := errors.AsType[*lobbywire.Error](r.Err); ok {
		r.Err = errors.New(wordsOf(wrong))
	}
	return r.String()
}

// wordsOf describes an error of a codec for an operator.
func wordsOf(wrong *lobbywire.Error) string {
	field := "a field"
	if wrong.Field != "" {
		field = `the field "` + wrong.Field + `"`
	}
	if means := fields[wrong.Field]; means != "" && wrong.Proto == "wzhttp" {
		field = means + ` ("` + wrong.Field + `")`
	}
	reason := wrong.Err.Error()
	_, why, isWhy := strings.Cut(reason, ": ")
	switch {
	case errors.Is(wrong, lobbywire.ErrTruncated):
		return "it is cut off, in " + field
	case errors.Is(wrong, lobbywire.ErrTrailing):
		return "something follows its end"
	case !isWhy:
		return field + " is wrong: " + reason
	case why == "missing":
		return "it lacks " + field
	case strings.HasPrefix(why, "is ") || strings.HasPrefix(why, "has ") || strings.HasPrefix(why, "appears "):
		return field + " " + why
	}
	return field + " is wrong: " + why
}
