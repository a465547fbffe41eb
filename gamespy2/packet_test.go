package gamespy2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestPacketAcceptsItsFormsOnly(t *testing.T) {
	const head = "\x00\x10\x20\x30\x40splitnum\x00"
	packetCodec.Table(t, []codectest.Case[gamespy2.Packet]{
		{Name: "first of several", In: head + "\x00\x00a", Want: gamespy2.Packet{ID: testID, Body: []byte("\x00a")}},
		{Name: "the only one", In: head + "\x80\x00", Want: gamespy2.Packet{ID: testID, Last: true, Body: []byte{0}}},
		{Name: "the highest number", In: head + "\xff", Want: gamespy2.Packet{ID: testID, Number: 127, Last: true}},
		{Name: "cut before the mark", In: head[:5], Err: lobbywire.ErrTruncated, Field: "splitnum", Offset: 5},
		{Name: "one other byte", In: head[:5] + "x", Err: lobbywire.ErrInvalid, Field: "splitnum", Offset: 5},
		{Name: "cut in the mark", In: head[:9], Err: lobbywire.ErrTruncated, Field: "splitnum", Offset: 5},
		{Name: "cut before the number", In: head, Err: lobbywire.ErrTruncated, Field: "number", Offset: 14},
		{Name: "plain answer", In: "\x00\x10\x20\x30\x40spl\x00",
			Err: lobbywire.ErrInvalid, Field: "splitnum", Offset: 5},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "number above 7 bits", Value: gamespy2.Packet{Number: 128}, Err: lobbywire.ErrTooLarge, Field: "number"},
	})
}
