package warzone_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

func TestStatusAcceptsItsFormsOnly(t *testing.T) {
	statusCodec.Table(t, []codectest.Case[warzone.Status]{
		{Name: "ok", In: words(200, 2) + "OK", Want: warzone.Status{Code: warzone.StatusOK, Text: "OK"}},
		{Name: "no text", In: words(406, 0), Want: warzone.Status{Code: warzone.StatusNotAcceptable}},
		{Name: "any bytes", In: words(7, 3) + "\x00\xff\n", Want: warzone.Status{Code: 7, Text: "\x00\xff\n"}},
		{Name: "longest text", In: words(200, 1<<16) + strings.Repeat("x", 1<<16),
			Want: warzone.Status{Code: 200, Text: strings.Repeat("x", 1<<16)}},
		{Name: "code cut", In: "\x00", Err: lobbywire.ErrTruncated, Field: "code", Offset: 0},
		{Name: "length cut", In: words(200), Err: lobbywire.ErrTruncated, Field: "length", Offset: 4},
		{Name: "text cut", In: words(200, 3) + "OK", Err: lobbywire.ErrTruncated, Field: "text", Offset: 8},
		{Name: "text too long", In: words(200, 1<<16+1), Err: lobbywire.ErrTooLarge, Field: "length", Offset: 4},
		{Name: "trailing byte", In: words(200, 0) + "x", Err: lobbywire.ErrTrailing, Offset: 8},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "text too long", Value: warzone.Status{Text: strings.Repeat("x", 1<<16+1)},
			Err: lobbywire.ErrTooLarge, Field: "text"},
	})
}

func TestStatusTextAboveTheLimitIsRefused(t *testing.T) {
	for size, want := range map[int]error{warzone.MaxStatusText: nil, warzone.MaxStatusText + 1: lobbywire.ErrTooLarge} {
		in := []byte(words(200, uint32(size)) + strings.Repeat("x", size))
		if _, err := warzone.ParseStatus(in); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", size, err)
		}
		s := warzone.LobbyStream{HasGameID: true}
		if _, _, err := s.NextResponse(in); !errors.Is(err, want) {
			t.Errorf("%d bytes, on a stream: %v", size, err)
		}
	}
}

func TestStatusCodesAreOKAsTheGameReadsThem(t *testing.T) {
	for code, want := range map[warzone.StatusCode]bool{
		200: true, 299: true, 400: true, 199: false, 300: false, 401: false, 406: false, 500: false, 0: false,
	} {
		if code.OK() != want {
			t.Errorf("%v: %v", code, code.OK())
		}
	}
}
