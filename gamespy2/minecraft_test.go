package gamespy2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/laws"
)

func TestBasicStatRequest(t *testing.T) {
	basicStatRequestCodec.Table(t, []laws.Case[gamespy2.BasicStatRequest]{
		{Name: "request", In: "\xfe\xfd\x00\x00\x00\x00\x01\x00\x91\x29\x5b", Want: gamespy2.BasicStatRequest{ID: [4]byte{0, 0, 0, 1}, Challenge: 9513307}},
		{Name: "full stat request", In: "\xfe\xfd\x00\x00\x00\x00\x01\x00\x91\x29\x5b\xff\xff\xff\x01", Err: lobbywire.ErrTrailing, Offset: 11},
		{Name: "without challenge", In: "\xfe\xfd\x00\x00\x00\x00\x01", Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 7},
		{Name: "challenge request", In: "\xfe\xfd\x09\x00\x00\x00\x01", Err: lobbywire.ErrInvalid, Field: "type", Offset: 2},
	})
}

func TestBasicStat(t *testing.T) {
	want := gamespy2.BasicStat{ID: testID, MOTD: "a", GameType: "SMP", Map: "w", NumPlayers: 2, MaxPlayers: 20, HostPort: 25565, HostIP: "b"}
	const head = "\x00\x10\x20\x30\x40a\x00SMP\x00w\x00"
	basicStatCodec.Table(t, []laws.Case[gamespy2.BasicStat]{
		{Name: "the port is little-endian", In: head + "2\x0020\x00\xdd\x63b\x00", Want: want},
		{Name: "bytes after it", In: head + "2\x0020\x00\xdd\x63b\x00c", Want: want, Differs: true},
		{Name: "not a number", In: head + "two\x00", Err: lobbywire.ErrInvalid, Field: "numPlayers", Offset: 13},
		{Name: "cut in the port", In: head + "2\x0020\x00\xdd", Err: lobbywire.ErrTruncated, Field: "hostPort", Offset: 18},
		{Name: "cut in the address", In: head + "2\x0020\x00\xdd\x63b", Err: lobbywire.ErrTruncated, Field: "hostIp", Offset: 20},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "zero byte in the motd", Value: gamespy2.BasicStat{MOTD: "\x00"}, Err: lobbywire.ErrInvalid, Field: "motd"},
		{Name: "zero byte in the address", Value: gamespy2.BasicStat{HostIP: "\x00"}, Err: lobbywire.ErrInvalid, Field: "hostIp"},
	})
	_, err := gamespy2.Options{Strict: true}.ParseBasicStat([]byte(head + "2\x0020\x00\xdd\x63b\x00c"))
	wantError(t, err, lobbywire.ErrTrailing, "", 22)
}
