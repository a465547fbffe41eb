package gamespy2_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestEchoResponseAcceptsItsFormsOnly(t *testing.T) {
	full := strings.Repeat("x", 32)
	echoResponseCodec.Table(t, []codectest.Case[gamespy2.EchoResponse]{
		{Name: "to Battlefield 2 in a local network", In: "\x05\x00\x00\x00\x00\x00",
			Want: gamespy2.EchoResponse{Data: gamespy2.MakeEchoData([]byte{0})}},
		{Name: "without data", In: "\x05\x10\x20\x30\x40", Want: gamespy2.EchoResponse{ID: testID}},
		{Name: "as much data as comes back", In: "\x05\x10\x20\x30\x40" + full,
			Want: gamespy2.EchoResponse{ID: testID, Data: gamespy2.MakeEchoData([]byte(full))}},
		{Name: "more data", In: "\x05\x10\x20\x30\x40" + full + "x",
			Err: lobbywire.ErrTooLarge, Field: "data", Offset: 5},
		{Name: "cut", In: "\x05\x10", Err: lobbywire.ErrTruncated, Field: "id", Offset: 1},
		{Name: "echo request", In: "\xfe\xfd\x02\x10\x20\x30\x40", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "too much data", Value: gamespy2.EchoResponse{Data: gamespy2.MakeEchoData([]byte(full + "x"))},
			Err: lobbywire.ErrTooLarge, Field: "data"},
	})
}

func TestEchoDataIsHexadecimalText(t *testing.T) {
	d := gamespy2.MakeEchoData([]byte("abc"))
	if got := string(d.AppendTo([]byte("x"))); got != "xabc" {
		t.Errorf("got %q", got)
	}
	if err := d.UnmarshalText([]byte("0x")); err == nil {
		t.Error("takes what is not hexadecimal")
	}
}
