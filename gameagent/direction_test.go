package gameagent_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestToMasterChoosesTheMessageByItsBytes(t *testing.T) {
	toMasterCodec.Table(t, []codectest.Case[gameagent.ToMaster]{
		{Name: "join", In: "q", Want: gameagent.Join{}},
		{Name: "state change", In: "u", Want: gameagent.StateChanged{}},
		{Name: "list request", In: "e", Want: gameagent.ListRequest{}},
		{Name: "heartbeat", In: "0;challenge;5;players;0;maxplayers;0;level;;gametype;;version;;product;",
			Want: gameagent.Heartbeat{Challenge: 5, Players: new(0), MaxPlayers: new(0)}},
		{Name: "heartbeat of GameSpy", In: `\heartbeat\1\gamename\x`,
			Want: gameagent.Unknown{Raw: []byte(`\heartbeat\1\gamename\x`)}},
		{Name: "status request", In: "\x02", Want: gameagent.Unknown{Raw: []byte{2}}},
		{Name: "zero byte", In: "\x00", Want: gameagent.Unknown{Raw: []byte{0}}},
		{Name: "broken heartbeat", In: "0x", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
}

func TestToServerChoosesTheMessageByItsBytes(t *testing.T) {
	toServerCodec.Table(t, []codectest.Case[gameagent.ToServer]{
		{Name: "challenge", In: "\x01\x05\x00\x00\x00", Want: gameagent.Challenge{Challenge: 5}},
		{Name: "status request", In: "\x02", Want: gameagent.StatusRequest{}},
		{Name: "players request", In: "\x03", Want: gameagent.PlayersRequest{}},
		{Name: "ping request", In: "\x04", Want: gameagent.PingRequest{}},
		{Name: "status request with a query of GameSpy", In: "\x02\\info\\", Want: gameagent.StatusRequest{},
			Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "query of GameSpy", In: `\info\`, Want: gameagent.Unknown{Raw: []byte(`\info\`)}},
		{Name: "answer", In: "0;players;1", Want: gameagent.Unknown{Raw: []byte("0;players;1")}},
		{Name: "challenge cut", In: "\x01\x05", Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	strictly(toServerCodec, gameagent.Options.ParseToServer).Table(t, []codectest.Case[gameagent.ToServer]{
		{Name: "strictly a byte too many", In: "\x02\x02", Err: lobbywire.ErrTrailing, Offset: 1},
	})
}

func TestFromServerChoosesTheMessageByItsBytes(t *testing.T) {
	fromServerCodec.Table(t, []codectest.Case[gameagent.FromServer]{
		{Name: "status", In: fragmatchLine, Want: fragmatch()},
		{Name: "players", In: header2 + "\x04", Want: gameagent.Players{Count: 2, Players: []gameagent.Player{}}},
		{Name: "further players", In: record(1, "a", "1", "2"),
			Want: gameagent.Players{NotFirst: true, NotLast: true,
				Players: []gameagent.Player{{Index: 1, Name: "a", Frags: new(int32(1)), Ping: new(2)}}}},
		{Name: "ping", In: "\x048", Want: gameagent.Ping{Players: 8}},
		{Name: "answer of GameSpy", In: `\final\\queryid\6.1`,
			Want: gameagent.Unknown{Raw: []byte(`\final\\queryid\6.1`)}},
		{Name: "list", In: "s", Want: gameagent.Unknown{Raw: []byte("s")}},
		{Name: "end mark alone", In: "\x04", Err: lobbywire.ErrTruncated, Field: "players", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "nothing", Value: gameagent.Unknown{}, Err: lobbywire.ErrInvalid, Field: "raw"},
	})
}
