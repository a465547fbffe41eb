package gamespy2_test

import (
	"math"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestChallengeResponseAcceptsItsFormsOnly(t *testing.T) {
	of := func(n int32) gamespy2.ChallengeResponse { return gamespy2.ChallengeResponse{ID: testID, Number: n} }
	const id = "\x09\x10\x20\x30\x40"
	challengeResponseCodec.Table(t, []codectest.Case[gamespy2.ChallengeResponse]{
		{Name: "no challenge", In: id + "0\x00", Want: of(0)},
		{Name: "positive", In: id + "1287574694\x00", Want: of(1287574694)},
		{Name: "negative", In: id + "-1287574694\x00", Want: of(-1287574694)},
		{Name: "largest", In: id + "2147483647\x00", Want: of(math.MaxInt32)},
		{Name: "smallest", In: id + "-2147483648\x00", Want: of(math.MinInt32)},
		{Name: "6 digits, large enough for every client", In: id + "100000\x00", Want: of(100000)},
		{Name: "5 digits, padded", In: id + "99999\x00\x00", Want: of(99999)},
		{Name: "one digit, padded", In: id + "7\x00\x00\x00\x00\x00\x00", Want: of(7)},
		{Name: "one digit, not padded", In: id + "7\x00", Want: of(7), Differs: true},
		{Name: "padded more", In: id + "123456\x00\x00\x00\x00\x00\x00", Want: of(123456), Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "no challenge, padded", In: id + "0\x00\x00\x00", Want: of(0), Differs: true,
			Strict: lobbywire.ErrTruncated},
		{Name: "other bytes after it", In: id + "123456\x00abc", Want: of(123456), Differs: true,
			Strict: lobbywire.ErrTrailing},

		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "no number yet", In: id, Err: lobbywire.ErrTruncated, Field: "number", Offset: 5},
		{Name: "number without end", In: id + "123", Err: lobbywire.ErrTruncated, Field: "number", Offset: 5},
		{Name: "four bytes, as of Nukkit", In: id + "\xab\xcd\xef\x12\x00", Want: of(-0x543210ee), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "four bytes with zero bytes", In: id + "\xab\x00\x00\x12\x00", Want: of(-0x54ffffee), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "four bytes that are zero", In: id + "\x00\x00\x00\x00\x00", Want: of(0), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "four bytes, the first a sign", In: id + "-\x00\x00\x01\x00", Want: of(0x2d000001), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "four digits", In: id + "1234\x00", Want: of(1234), Differs: true},
		{Name: "a sign and three digits", In: id + "-123\x00", Want: of(-123), Differs: true},
		{Name: "four bytes without an end", In: id + "\xab\xcd\xef\x12", Err: lobbywire.ErrTruncated, Field: "end",
			Offset: 9, Strict: lobbywire.ErrInvalid},
		{Name: "four bytes with another end", In: id + "\xab\xcd\xef\x12\x01", Err: lobbywire.ErrInvalid,
			Field: "number", Offset: 5},
		{Name: "five bytes", In: id + "\xab\xcd\xef\x12\x34\x00", Err: lobbywire.ErrInvalid, Field: "number",
			Offset: 5},
		{Name: "empty number", In: id + "\x00", Err: lobbywire.ErrTruncated, Field: "number", Offset: 5,
			Strict: lobbywire.ErrInvalid},
		{Name: "not a number", In: id + "1234a\x00", Err: lobbywire.ErrInvalid, Field: "number", Offset: 5},
		{Name: "too large", In: id + "2147483648\x00", Err: lobbywire.ErrInvalid, Field: "number", Offset: 5},
		{Name: "another answer", In: "\x00\x10\x20\x30\x40", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
}

func TestStrictChallengeResponseRefusesTrailingBytes(t *testing.T) {
	strict := gamespy2.Options{Strict: true}
	if _, err := strict.ParseChallengeResponse([]byte("\x09\x10\x20\x30\x40123456\x00")); err != nil {
		t.Error(err)
	}
	_, err := strict.ParseChallengeResponse([]byte("\x09\x10\x20\x30\x40123456\x00\x00"))
	wantError(t, err, lobbywire.ErrTrailing, "", 12)
}
