package gamespy1_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// strictly returns c with a parser that uses Options.Strict.
func strictly[T codectest.Message](c codectest.Codec[T],
	parse func(gamespy1.Options, []byte) (T, error)) codectest.Codec[T] {
	c.Parse = func(b []byte) (T, error) { return parse(gamespy1.Options{Strict: true}, b) }
	return c
}

// Decoding would read these pairs of Extra as fields.
func TestExtraRefusesKeysOfFields(t *testing.T) {
	pair := func(key, value string) []gamespy1.Pair { return []gamespy1.Pair{{Key: key, Value: value}} }
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "query id of a list request", Value: gamespy1.ListRequest{Extra: pair("queryid", "1.1")},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "location of a status", Value: gamespy1.Status{Extra: pair("location", "EU")},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "ping of a player",
			Value: gamespy1.Status{Players: []gamespy1.Player{{Extra: pair("ping", "5")}}},
			Err:   lobbywire.ErrInvalid, Field: "players[0].extra"},
	})
}
