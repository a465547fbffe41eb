package wire

import (
	"strings"
	"testing"
)

// The first two were accepted and sent by the server of GameSpy's SDK, the last one
// by a client and a master of Serious Sam.
func TestSecretKeyAnswersMatchRealOnes(t *testing.T) {
	for _, tt := range []struct{ challenge, key, want string }{
		{"AbCdEf007F0000012B67", "HA6zkS", "llK/MDWETUR+CSRWNEsa8r5qOZUA"},
		{"AbCdEf807F0000012B67", "HA6zkS", "llK/MDWEbOWQHqKawtx4gBy70RMA"},
		{"0123456789", "HA6zkS", "6qw05RXlVgbL/AAA"},
		{"ABCDEF", "AKbna4", "zbGgINC8"},
		{"", "HA6zkS", ""},
	} {
		if got := AppendSecretKeyAnswer([]byte("before"), tt.challenge, tt.key); string(got) != "before"+tt.want {
			t.Errorf("%q with key %q: %q, want %q", tt.challenge, tt.key, got, tt.want)
		}
		if got := AppendSecretKeyAnswer(nil, []byte(tt.challenge), tt.key); string(got) != tt.want {
			t.Errorf("%q as bytes: %q, want %q", tt.challenge, got, tt.want)
		}
	}
}

// Keys and challenges of any length have an answer.
func TestSecretKeyAnswersHaveLength(t *testing.T) {
	for n := range 300 {
		text := strings.Repeat("\xff", n)
		if got := len(AppendSecretKeyAnswer(nil, text, text)); got != (n+2)/3*4 {
			t.Errorf("%d bytes have an answer of %d", n, got)
		}
	}
}
