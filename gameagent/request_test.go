package gameagent_test

import (
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// requestTable tests a request of one byte.
func requestTable[T codectest.Message](t *testing.T, c codectest.Codec[T], first byte) {
	t.Helper()
	c.Table(t, []codectest.Case[T]{
		{Name: "as it is sent", In: string(first)},
		{Name: "with bytes that receivers ignore", In: string(first) + "junk", Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "another request", In: "\xff", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
}

func TestRequestsAcceptTheirFormsOnly(t *testing.T) {
	t.Run("Join", func(t *testing.T) { requestTable(t, joinCodec, 'q') })
	t.Run("StateChanged", func(t *testing.T) { requestTable(t, stateChangedCodec, 'u') })
	t.Run("ListRequest", func(t *testing.T) { requestTable(t, listRequestCodec, 'e') })
	t.Run("StatusRequest", func(t *testing.T) { requestTable(t, statusRequestCodec, 2) })
	t.Run("PlayersRequest", func(t *testing.T) { requestTable(t, playersRequestCodec, 3) })
	t.Run("PingRequest", func(t *testing.T) { requestTable(t, pingRequestCodec, 4) })
}

// strictly returns c with a parser that uses Options.Strict.
func strictly[T codectest.Message](c codectest.Codec[T],
	parse func(gameagent.Options, []byte) (T, error)) codectest.Codec[T] {
	c.Parse = func(b []byte) (T, error) { return parse(gameagent.Options{Strict: true}, b) }
	return c
}

func TestStrictRequestsRefuseOtherForms(t *testing.T) {
	strictly(joinCodec, gameagent.Options.ParseJoin).Table(t, []codectest.Case[gameagent.Join]{
		{Name: "as it is sent", In: "q"},
		{Name: "a byte too many", In: "qq", Err: lobbywire.ErrTrailing, Offset: 1},
	})
	for _, parse := range []func(b []byte) error{
		func(b []byte) error { return errorOf(gameagent.Options{Strict: true}.ParseStateChanged(b)) },
		func(b []byte) error { return errorOf(gameagent.Options{Strict: true}.ParseListRequest(b)) },
		func(b []byte) error { return errorOf(gameagent.Options{Strict: true}.ParseStatusRequest(b)) },
		func(b []byte) error { return errorOf(gameagent.Options{Strict: true}.ParsePlayersRequest(b)) },
		func(b []byte) error { return errorOf(gameagent.Options{Strict: true}.ParsePingRequest(b)) },
	} {
		taken := 0
		for _, first := range []byte{'u', 'e', 2, 3, 4} {
			if parse([]byte{first}) == nil {
				taken++
				if err := parse([]byte{first, 0}); !errors.Is(err, lobbywire.ErrTrailing) {
					t.Errorf("%#x and a byte too many: %v", first, err)
				}
			}
		}
		if taken != 1 {
			t.Errorf("%d of 5 requests taken, want one", taken)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

func TestChallengeAcceptsItsFormsOnly(t *testing.T) {
	cut := codectest.Case[gameagent.Challenge]{Name: "cut", In: "\x01\x03\xd3\xe5", Err: lobbywire.ErrTruncated,
		Field: "challenge", Offset: 1}
	challengeCodec.Table(t, []codectest.Case[gameagent.Challenge]{
		{Name: "as the master sends it", In: "\x01\x03\xd3\xe5\x33", Want: gameagent.Challenge{Challenge: 870699779}},
		{Name: "top bit set", In: "\x01\xfe\xff\xff\xff", Want: gameagent.Challenge{Challenge: -2}},
		{Name: "longer", In: "\x01\x01\x00\x00\x00\x00", Want: gameagent.Challenge{Challenge: 1}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "status request", In: "\x02\x00\x00\x00\x00", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
		cut,
	})
	strictly(challengeCodec, gameagent.Options.ParseChallenge).Table(t, []codectest.Case[gameagent.Challenge]{
		{Name: "strictly longer", In: "\x01\x01\x00\x00\x00\x00", Err: lobbywire.ErrTrailing, Offset: 5},
		cut,
	})
}

func TestPingAcceptsItsFormsOnly(t *testing.T) {
	pingCodec.Table(t, []codectest.Case[gameagent.Ping]{
		{Name: "no players", In: "\x040"},
		{Name: "16 players", In: "\x0416", Want: gameagent.Ping{Players: 16}},
		{Name: "the most", In: "\x042147483647", Want: gameagent.Ping{Players: 1<<31 - 1}},
		{Name: "leading zero", In: "\x0408", Want: gameagent.Ping{Players: 8}, Differs: true},
		{Name: "one more than the most", In: "\x042147483648", Err: lobbywire.ErrTooLarge, Field: "players", Offset: 1},
		{Name: "negative", In: "\x04-1", Err: lobbywire.ErrInvalid, Field: "players", Offset: 1},
		{Name: "no digits", In: "\x04", Err: lobbywire.ErrTruncated, Field: "players", Offset: 1},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "fewer than none", Value: gameagent.Ping{Players: -1}, Err: lobbywire.ErrInvalid, Field: "players"},
	})
}

// Decoding would read these pairs of Extra as fields.
func TestExtraRefusesKeysOfFields(t *testing.T) {
	pair := func(key, value string) []gameagent.Pair { return []gameagent.Pair{{Key: key, Value: value}} }
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "version of a status", Value: gameagent.Status{Extra: pair("version", "1")},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "product of a heartbeat", Value: gameagent.Heartbeat{Extra: pair("product", "a")},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "ping of a player",
			Value: gameagent.Players{Count: 1, Players: []gameagent.Player{{Extra: pair("ping", "5")}}},
			Err:   lobbywire.ErrInvalid, Field: "players[0].extra"},
	})
}
