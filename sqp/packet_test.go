package sqp_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

func TestPacketAcceptsItsFormsOnly(t *testing.T) {
	const header = "\x01\x00\x00\x00\x07\x00\x01"
	packetCodec.Table(t, []codectest.Case[sqp.Packet]{
		{Name: "whole answer", In: header + "\x00\x00\x00\x02ab",
			Want: sqp.Packet{Token: 7, Version: 1, Body: []byte("ab")}},
		{Name: "second of three", In: header + "\x01\x02\x00\x01a",
			Want: sqp.Packet{Token: 7, Version: 1, CurrentPacket: 1, LastPacket: 2, Body: []byte("a")}},
		{Name: "nothing asked for", In: header + "\x00\x00\x00\x00", Want: sqp.Packet{Token: 7, Version: 1}},
		{Name: "surplus byte", In: header + "\x00\x00\x00\x01a\x00", Differs: true,
			Want: sqp.Packet{Token: 7, Version: 1, Body: []byte("a")}, Strict: lobbywire.ErrTrailing},
		{Name: "number above the last", In: header + "\x02\x01\x00\x01a",
			Err: lobbywire.ErrInvalid, Field: "currentPacket", Offset: 7},
		{Name: "body cut", In: header + "\x00\x00\x00\x03ab", Err: lobbywire.ErrTruncated, Field: "body", Offset: 11},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "number above the last", Value: sqp.Packet{CurrentPacket: 1},
			Err: lobbywire.ErrInvalid, Field: "currentPacket"},
		{Name: "body of 65536 bytes", Value: sqp.Packet{Body: make([]byte, 1<<16)},
			Err: lobbywire.ErrTooLarge, Field: "body"},
	})
}

func TestStrictPacketHasAKnownVersion(t *testing.T) {
	const header, body = "\x01\x00\x00\x00\x07", "\x00\x00\x00\x00"
	strict := codectest.Codec[sqp.Packet]{Parse: sqp.Options{Strict: true}.ParsePacket}
	strict.Table(t, []codectest.Case[sqp.Packet]{
		{Name: "version 0", In: header + "\x00\x00" + body, Differs: true, Want: sqp.Packet{Token: 7}},
		{Name: "version 1", In: header + "\x00\x01" + body, Want: sqp.Packet{Token: 7, Version: 1}},
		{Name: "version 2", In: header + "\x00\x02" + body, Want: sqp.Packet{Token: 7, Version: 2}},
		{Name: "version 3", In: header + "\x00\x03" + body,
			Err: lobbywire.ErrUnsupported, Field: "version", Offset: 5},
		{Name: "version 256", In: header + "\x01\x00" + body,
			Err: lobbywire.ErrUnsupported, Field: "version", Offset: 5},
		{Name: "surplus byte", In: header + "\x00\x01" + body + "\x00",
			Err: lobbywire.ErrTrailing, Offset: 11, Strict: lobbywire.ErrTrailing},
	})
}
