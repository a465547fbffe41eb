package qr2_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// The recorded answers are those to the recorded challenges.
func TestAppendAnswerMatchesRecordings(t *testing.T) {
	for _, name := range []string{"", "_options", "_short"} {
		challenge, err := qr2.ParseChallenge(load(t, "challenge"+name))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := qr2.ParseChallengeAnswer(load(t, "challenge_answer"+name))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(qr2.AppendAnswer(nil, challenge.Text, "HA6zkS")); got != answer.Text {
			t.Errorf("challenge%s: answer %q, want %q", name, got, answer.Text)
		}
	}
}

func TestChallengeTextContainsTheAddress(t *testing.T) {
	addr := netip.MustParseAddrPort("127.0.0.1:11111")
	for _, tt := range []struct {
		text string
		want qr2.ChallengeText
		ok   bool
	}{
		{"AbCdEf007F0000012B67", qr2.ChallengeText{Random: "AbCdEf", Addr: addr}, true},
		{"AbCdEf807F0000012B67",
			qr2.ChallengeText{Random: "AbCdEf", Options: qr2.OptionQueryChallenge, Addr: addr}, true},
		{"007F0000012B67", qr2.ChallengeText{Addr: addr}, true},
		{"0123456789", qr2.ChallengeText{}, false},
		{"AbCdEf007F0000012B6_", qr2.ChallengeText{}, false},
		{"", qr2.ChallengeText{}, false},
	} {
		got, ok := qr2.Challenge{Text: tt.text}.ParseText()
		if got != tt.want || ok != tt.ok {
			t.Errorf("%q has the parts %+v, %v, want %+v, %v", tt.text, got, ok, tt.want, tt.ok)
		}
		if ok && string(got.AppendTo(nil)) != tt.text {
			t.Errorf("%+v is written as %q, want %q", got, got.AppendTo(nil), tt.text)
		}
	}
	v6 := qr2.ChallengeText{Random: "a", Addr: netip.MustParseAddrPort("[2001:db8::1]:1")}
	if got := string(v6.AppendTo(nil)); got != "a00000000000001" {
		t.Errorf("an address of IPv6 is written as %q", got)
	}
}

func TestChallengeAcceptsItsFormsOnly(t *testing.T) {
	challengeCodec.Table(t, []codectest.Case[qr2.Challenge]{
		{Name: "empty", In: "\xfe\xfd\x01\x10\x20\x30\x40\x00", Want: qr2.Challenge{Key: testKey}},
		{Name: "a byte too many", In: "\xfe\xfd\x01\x10\x20\x30\x40a\x00b",
			Want: qr2.Challenge{Key: testKey, Text: "a"}, Strict: lobbywire.ErrTrailing, Differs: true},
		{Name: "no end", In: "\xfe\xfd\x01\x10\x20\x30\x40a", Err: lobbywire.ErrTruncated, Field: "text", Offset: 7},
		{Name: "no end where it must be", In: "\xfe\xfd\x01\x10\x20\x30\x40" + strings.Repeat("a", 65),
			Err: lobbywire.ErrTooLarge, Field: "text", Offset: 7},
		{Name: "a heartbeat", In: header, Err: lobbywire.ErrInvalid, Field: "magic", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "too long", Value: qr2.Challenge{Text: strings.Repeat("a", 65)},
			Err: lobbywire.ErrTooLarge, Field: "text"},
		{Name: "zero byte", Value: qr2.Challenge{Text: "a\x00"}, Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "long answer", Value: qr2.ChallengeAnswer{Text: strings.Repeat("a", 256)},
			Err: lobbywire.ErrTooLarge, Field: "text"},
		{Name: "zero byte in an answer", Value: qr2.ChallengeAnswer{Text: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "text"},
	})
}
