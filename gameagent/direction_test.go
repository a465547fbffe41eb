package gameagent_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestToMaster(t *testing.T) {
	toMasterCodec.Table(t, []codectest.Case[gameagent.ToMaster]{
		{Name: "join", In: "q", Want: gameagent.Join{}},
		{Name: "state change", In: "u", Want: gameagent.StateChanged{}},
		{Name: "list request", In: "e", Want: gameagent.ListRequest{}},
		{Name: "heartbeat", In: "0;challenge;5;players;0;maxplayers;0;level;;gametype;;version;;product;",
			Want: gameagent.Heartbeat{Challenge: 5, Players: new(0), MaxPlayers: new(0)}},
		{Name: "legacy heartbeat", In: `\heartbeat\1\gamename\x`,
			Want: gameagent.LegacyHeartbeat{QueryPort: 1, GameName: "x"}},
		{Name: "legacy validation", In: `\validate\x\final\`, Want: gameagent.LegacyValidation{Validate: "x"}},
		{Name: "legacy echo", In: `\echo\x\final\`, Want: gameagent.LegacyEchoReply{Text: "x"}},
		{Name: "backslash alone", In: `\`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "start of an echo", In: `\e`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "another legacy key", In: `\info\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
		{Name: "status request", In: "\x02", Want: gameagent.Unknown{Raw: []byte{2}}},
		{Name: "zero byte", In: "\x00", Want: gameagent.Unknown{Raw: []byte{0}}},
		{Name: "broken heartbeat", In: "0x", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
}

func TestToServer(t *testing.T) {
	toServerCodec.Table(t, []codectest.Case[gameagent.ToServer]{
		{Name: "challenge", In: "\x01\x05\x00\x00\x00", Want: gameagent.Challenge{Challenge: 5}},
		{Name: "status request", In: "\x02", Want: gameagent.StatusRequest{}},
		{Name: "players request", In: "\x03", Want: gameagent.PlayersRequest{}},
		{Name: "ping request", In: "\x04", Want: gameagent.PingRequest{}},
		{Name: "native form goes before legacy form", In: "\x02\\info\\", Want: gameagent.StatusRequest{},
			Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "legacy query", In: `\info\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo}},
		{Name: "legacy query with a challenge", In: `\status\\secure\ABCDEF`,
			Want: gameagent.LegacyRequest{Secure: "ABCDEF"}},
		{Name: "legacy challenge", In: `\secure\ABCDEF`, Want: gameagent.LegacySecure{Secure: "ABCDEF"}},
		{Name: "legacy challenge that is too short", In: `\secure\ABCDE`,
			Want: gameagent.Unknown{Raw: []byte(`\secure\ABCDE`)}},
		{Name: "legacy echo", In: `\echo\x`, Want: gameagent.LegacyEcho{Text: "x"}},
		{Name: "legacy error", In: `\error\x`, Want: gameagent.LegacyError{Text: "x"}},
		{Name: "fatal legacy error", In: `\fatal\1\error\x`, Want: gameagent.LegacyError{Fatal: true, Text: "x"}},
		{Name: "legacy query that servers do not know", In: `\teams\`, Want: gameagent.Unknown{Raw: []byte(`\teams\`)}},
		{Name: "answer", In: "0;players;1", Want: gameagent.Unknown{Raw: []byte("0;players;1")}},
		{Name: "challenge cut", In: "\x01\x05", Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	strictly(toServerCodec, gameagent.Options.ParseToServer).Table(t, []codectest.Case[gameagent.ToServer]{
		{Name: "strictly a byte too many", In: "\x02\x02", Err: lobbywire.ErrTrailing, Offset: 1},
		{Name: "strictly a query among other bytes", In: `x\info\`,
			Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
	})
}

func TestToListPort(t *testing.T) {
	toListPortCodec.Table(t, []codectest.Case[gameagent.ToListPort]{
		{Name: "client", In: `\gamename\x\validate\v\final\\list\cmp\gamename\y\final\`, Differs: true,
			Want: gameagent.LegacyListRequest{GameName: "x", Validate: "v", List: "cmp", ListName: "y"}},
		{Name: "master", In: `\gamename\x\validate\v\final\\sync\all\msid\ABC`, Differs: true,
			Want: gameagent.LegacySyncRequest{GameName: "x", Validate: "v", Sync: "all", MasterID: "ABC"}},
		{Name: "list before sync", In: `\gamename\x\final\\list\cmp\sync\all\final\`, Differs: true,
			Want: gameagent.LegacyListRequest{GameName: "x", List: "cmp",
				Extra: []gameagent.Pair{{Key: "sync", Value: "all"}}}},
		{Name: "a value like the end mark", In: `\gamename\final\x\sync\final\\list\cmp\final\`, Differs: true,
			Want: gameagent.LegacyListRequest{GameName: "final", List: "cmp",
				Extra: []gameagent.Pair{{Key: "x", Value: "sync"}}}},
		{Name: "text between the parts", In: `\gamename\x\final\y\list\`,
			Err: lobbywire.ErrInvalid, Field: "final", Offset: 18},
		{Name: "text between the parts, and sync", In: `\gamename\x\final\y\sync\`,
			Err: lobbywire.ErrInvalid, Field: "final", Offset: 18},
		{Name: "first part alone", In: `\gamename\x\validate\v\final\`,
			Err: lobbywire.ErrTruncated, Field: "final", Offset: 29},
		{Name: "nothing yet", In: "", Err: lobbywire.ErrTruncated, Field: "separator", Offset: 0},
	})
}

func TestFromServer(t *testing.T) {
	fromServerCodec.Table(t, []codectest.Case[gameagent.FromServer]{
		{Name: "status", In: fragmatchLine, Want: fragmatch()},
		{Name: "players", In: header2 + "\x04", Want: gameagent.Players{Count: 2, Players: []gameagent.Player{}}},
		{Name: "further players", In: record(1, "a", "1", "2"),
			Want: gameagent.Players{NotFirst: true, NotLast: true,
				Players: []gameagent.Player{{Index: 1, Name: "a", Frags: new(int32(1)), Ping: new(2)}}}},
		{Name: "ping", In: "\x048", Want: gameagent.Ping{Players: 8}},
		{Name: "legacy answer", In: `\final\\queryid\6.1`,
			Want: gameagent.LegacyStatus{Players: []gameagent.Player{}, QueryID: "6.1"}, Differs: true},
		{Name: "list", In: "s", Want: gameagent.Unknown{Raw: []byte("s")}},
		{Name: "end mark alone", In: "\x04", Err: lobbywire.ErrTruncated, Field: "players", Offset: 1},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "nothing", Value: gameagent.Unknown{}, Err: lobbywire.ErrInvalid, Field: "raw"},
	})
}
