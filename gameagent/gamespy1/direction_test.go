package gamespy1_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestToListPortChoosesTheMessage(t *testing.T) {
	toListPortCodec.Table(t, []codectest.Case[gamespy1.ToListPort]{
		{Name: "client", In: `\gamename\x\validate\v\final\\list\cmp\gamename\y\final\`, Differs: true,
			Want: gamespy1.ListRequest{GameName: "x", Validate: "v", List: "cmp", ListName: "y"}},
		{Name: "master", In: `\gamename\x\validate\v\final\\sync\all\msid\ABC`, Differs: true,
			Want: gamespy1.SyncRequest{GameName: "x", Validate: "v", Sync: "all", MasterID: "ABC"}},
		{Name: "list before sync", In: `\gamename\x\final\\list\cmp\sync\all\final\`, Differs: true,
			Want: gamespy1.ListRequest{GameName: "x", List: "cmp",
				Extra: []gamespy1.Pair{{Key: "sync", Value: "all"}}}},
		{Name: "a value like the end mark", In: `\gamename\final\x\sync\final\\list\cmp\final\`, Differs: true,
			Want: gamespy1.ListRequest{GameName: "final", List: "cmp",
				Extra: []gamespy1.Pair{{Key: "x", Value: "sync"}}}},
		{Name: "text between the parts", In: `\gamename\x\final\y\list\`,
			Err: lobbywire.ErrInvalid, Field: "final", Offset: 18},
		{Name: "text between the parts, and sync", In: `\gamename\x\final\y\sync\`,
			Err: lobbywire.ErrInvalid, Field: "final", Offset: 18},
		{Name: "first part alone", In: `\gamename\x\validate\v\final\`,
			Err: lobbywire.ErrTruncated, Field: "final", Offset: 29},
		{Name: "nothing yet", In: "", Err: lobbywire.ErrTruncated, Field: "separator", Offset: 0},
	})
}

func TestToMasterChoosesTheMessage(t *testing.T) {
	toMasterCodec.Table(t, []codectest.Case[gamespy1.ToMaster]{
		{Name: "heartbeat", In: `\heartbeat\1\gamename\x`, Want: gamespy1.Heartbeat{QueryPort: 1, GameName: "x"}},
		{Name: "validation", In: `\validate\x\final\`, Want: gamespy1.Validation{Validate: "x"}},
		{Name: "echo", In: `\echo\x\final\`, Want: gamespy1.EchoReply{Text: "x"}},
		{Name: "backslash alone", In: `\`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "start of an echo", In: `\e`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "another key", In: `\info\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
		{Name: "join of GameAgent", In: "q", Want: gamespy1.Unknown{Raw: []byte("q")}},
		{Name: "zero byte", In: "\x00", Want: gamespy1.Unknown{Raw: []byte{0}}},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
}

func TestToServerChoosesTheMessage(t *testing.T) {
	toServerCodec.Table(t, []codectest.Case[gamespy1.ToServer]{
		{Name: "status request of GameAgent", In: "\x02", Want: gamespy1.Unknown{Raw: []byte{2}}},
		{Name: "query", In: `\info\`, Want: gamespy1.Request{Query: gamespy1.QueryInfo}},
		{Name: "query after other bytes", In: "\x02\\info\\", Want: gamespy1.Request{Query: gamespy1.QueryInfo},
			Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "query with a challenge", In: `\status\\secure\ABCDEF`, Want: gamespy1.Request{Secure: "ABCDEF"}},
		{Name: "challenge", In: `\secure\ABCDEF`, Want: gamespy1.Secure{Secure: "ABCDEF"}},
		{Name: "challenge that is too short", In: `\secure\ABCDE`,
			Want: gamespy1.Unknown{Raw: []byte(`\secure\ABCDE`)}},
		{Name: "echo", In: `\echo\x`, Want: gamespy1.Echo{Text: "x"}},
		{Name: "error", In: `\error\x`, Want: gamespy1.Error{Text: "x"}},
		{Name: "fatal error", In: `\fatal\1\error\x`, Want: gamespy1.Error{Fatal: true, Text: "x"}},
		{Name: "query that servers do not know", In: `\teams\`, Want: gamespy1.Unknown{Raw: []byte(`\teams\`)}},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	strictly(toServerCodec, gamespy1.Options.ParseToServer).Table(t, []codectest.Case[gamespy1.ToServer]{
		{Name: "strictly a query among other bytes", In: `x\info\`,
			Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
	})
}
