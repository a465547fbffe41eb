package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestStartGameAcceptsItsFormsOnly(t *testing.T) {
	startGameCodec.table(t, []row[wzproposal.StartGame]{
		{Name: "a port", Text: "STARTGAME\t9999\n", Binary: "\x03\x05\x049999", Want: wzproposal.StartGame{Port: 9999}},
		{Name: "no port", Text: "STARTGAME\n", Binary: "\x03\x00",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "port as two bytes", Text: "STARTGAME\t\x27\x0f\n", Binary: "\x03\x03\x02\x27\x0f",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 10, BinaryAt: 2},
		{Name: "two ports", Text: "STARTGAME\t1\t2\n", Binary: "\x03\x04\x011\x012",
			Err: lobbywire.ErrTrailing, TextAt: 12, BinaryAt: 4},
	})
	startGameCodec.text.Table(t, []codectest.Case[wzproposal.StartGame]{
		{Name: "mixed letters, space", In: "StartGame 9999\n", Want: wzproposal.StartGame{Port: 9999}, Differs: true,
			Strict: lobbywire.ErrInvalid},
	})
	refusals(t, []codectest.Refusal{
		{Name: "port 0", Value: wzproposal.StartGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
	})
}
