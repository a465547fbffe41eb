package sqp_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

func TestChallengeRequestAcceptsItsFormsOnly(t *testing.T) {
	challengeRequestCodec.Table(t, []codectest.Case[sqp.ChallengeRequest]{
		{Name: "as every client sends it", In: "\x00\x00\x00\x00\x00"},
		{Name: "with a token", In: "\x00\x01\x02\x03\x04", Want: sqp.ChallengeRequest{Token: 0x01020304}},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "type alone, which would let the answer be larger", In: "\x00",
			Err: lobbywire.ErrTruncated, Field: "token", Offset: 1},
		{Name: "query", In: "\x01\x00\x00\x00\x00\x00\x01\x01", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
		{Name: "a byte too many", In: "\x00\x00\x00\x00\x00\x00", Err: lobbywire.ErrTrailing, Offset: 5},
	})
}

func TestChallengeResponseAcceptsItsFormsOnly(t *testing.T) {
	challengeResponseCodec.Table(t, []codectest.Case[sqp.ChallengeResponse]{
		{Name: "token", In: "\x00\x80\x90\x23\x48", Want: sqp.ChallengeResponse{Token: 0x80902348}},
		{Name: "token 0 is a token", In: "\x00\x00\x00\x00\x00"},
		{Name: "cut", In: "\x00\x80\x90\x23", Err: lobbywire.ErrTruncated, Field: "token", Offset: 1},
	})
}
