package gamespy2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestValuesAcceptTheirFormsOnly(t *testing.T) {
	values(2).Table(t, []codectest.Case[gamespy2.Values]{
		{Name: "two values", In: "\x00\x10\x20\x30\x40a\x00b\x00",
			Want: gamespy2.Values{ID: testID, Values: []string{"a", "b"}}},
		{Name: "empty values", In: "\x00\x10\x20\x30\x40\x00\x00",
			Want: gamespy2.Values{ID: testID, Values: []string{"", ""}}},
		{Name: "more values than asked for", In: "\x00\x10\x20\x30\x40a\x00b\x00c\x00",
			Want: gamespy2.Values{ID: testID, Values: []string{"a", "b"}}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "a value missing", In: "\x00\x10\x20\x30\x40a\x00",
			Err: lobbywire.ErrTruncated, Field: "values[1].value", Offset: 7},
		{Name: "challenge response", In: "\x09\x10\x20\x30\x400\x00",
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	values(0).Table(t, []codectest.Case[gamespy2.Values]{
		{Name: "nothing asked for", In: "\x00\x10\x20\x30\x40", Want: gamespy2.Values{ID: testID, Values: []string{}}},
	})
	values(-1).Table(t, []codectest.Case[gamespy2.Values]{
		{Name: "less than nothing asked for", In: "\x00\x10\x20\x30\x40",
			Want: gamespy2.Values{ID: testID, Values: []string{}}},
	})
	values(1<<30).Table(t, []codectest.Case[gamespy2.Values]{
		{Name: "more asked for than a datagram holds", In: "\x00\x10\x20\x30\x40a\x00",
			Err: lobbywire.ErrTruncated, Field: "values[1].value", Offset: 7},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "zero byte in a value", Value: gamespy2.Values{Values: []string{"", "a\x00"}},
			Err: lobbywire.ErrInvalid, Field: "values[1].value"},
	})
	_, err := gamespy2.Options{Strict: true}.ParseValues([]byte("\x00\x10\x20\x30\x40a\x00b\x00"), 1)
	wantError(t, err, lobbywire.ErrTrailing, "", 7)
}

// qstat lists these keys by default.
func TestValuesOfAResponseAreByKey(t *testing.T) {
	keys := gamespy2.Keys(gamespy2.KeyHostname, gamespy2.KeyGameType, gamespy2.KeyMaxPlayers, 77)
	m := tinyResponse(true)
	got := m.Values(keys)
	want := gamespy2.Values{ID: testID, Values: []string{"A", "", "4", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	named := []gamespy2.KeyValue{{Key: "hostname", Value: "A"}, {Key: "gametype"}, {Key: "maxplayers", Value: "4"},
		{Key: "key(77)"}}
	if diff := cmp.Diff(named, got.Info(keys)); diff != "" {
		t.Errorf("with names (-want +got):\n%s", diff)
	}
	got.Values = got.Values[:2]
	if diff := cmp.Diff(named[:2], got.Info(keys)); diff != "" {
		t.Errorf("fewer values than keys (-want +got):\n%s", diff)
	}
}
