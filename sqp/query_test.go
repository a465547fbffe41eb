package sqp_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

func TestQueryRequestAcceptsItsFormsOnly(t *testing.T) {
	queryRequestCodec.Table(t, []codectest.Case[sqp.QueryRequest]{
		{Name: "server info", In: "\x01\x80\x31\xbe\x18\x00\x01\x01",
			Want: sqp.QueryRequest{Token: 0x8031be18, Version: 1, Chunks: sqp.ChunkServerInfo}},
		{Name: "version 0 of Unity's C# client", Differs: true, In: "\x01\x00\x00\x00\x07\x00\x00\x01",
			Want: sqp.QueryRequest{Token: 7, Chunks: sqp.ChunkServerInfo}},
		{Name: "unassigned chunks are kept", In: "\x01\x00\x00\x00\x07\x00\x01\xff",
			Want: sqp.QueryRequest{Token: 7, Version: 1, Chunks: 0xff}},
		{Name: "chunks missing", In: "\x01\x00\x00\x00\x07\x00\x01",
			Err: lobbywire.ErrTruncated, Field: "chunks", Offset: 7},
		{Name: "a byte too many", In: "\x01\x00\x00\x00\x07\x00\x01\x01\x00", Err: lobbywire.ErrTrailing, Offset: 8},
		{Name: "challenge", In: "\x00\x00\x00\x00\x00", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
}

func TestRequestAcceptsItsFormsOnly(t *testing.T) {
	requestCodec.Table(t, []codectest.Case[sqp.Request]{
		{Name: "challenge", In: "\x00\x00\x00\x00\x00"},
		{Name: "query", In: "\x01\x00\x00\x00\x07\x00\x01\x01",
			Want: sqp.Request{Type: sqp.TypeQuery, Query: sqp.QueryRequest{Token: 7, Version: 1, Chunks: 1}}},
		{Name: "unknown type", In: "\x02\x00\x00\x00\x00", Err: lobbywire.ErrUnsupported, Field: "type", Offset: 0},
		{Name: "query cut", In: "\x01\x00\x00\x00\x07\x00", Err: lobbywire.ErrTruncated, Field: "version", Offset: 5},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "unknown type", Value: sqp.Request{Type: 2}, Err: lobbywire.ErrUnsupported, Field: "type"},
	})
}

func TestChunksTypesAndValuesHaveNames(t *testing.T) {
	for _, tt := range []struct {
		got  interface{ String() string }
		want string
	}{
		{sqp.Chunks(0), "0x0"},
		{sqp.ChunkServerInfo | sqp.ChunkMetrics, "serverInfo|metrics"},
		{sqp.ChunkTeamInfo | 0xe0, "teamInfo|0xe0"},
		{sqp.ValueUint16, "uint16"},
		{sqp.ValueType(64), "type(64)"},
		{sqp.Byte(7), "7"},
		{sqp.Float32(0.5), "0.5"},
		{sqp.String("a\x1b[2J"), `"a\x1b[2J"`},
		{sqp.RawValue(64, []byte{0xff}), `"\xff"`},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestRequestRefusesTheOtherMessage(t *testing.T) {
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "query", Value: sqp.Request{Type: sqp.TypeChallenge, Query: sqp.QueryRequest{Chunks: 1}},
			Err: lobbywire.ErrInvalid, Field: "query"},
		{Name: "challenge", Value: sqp.Request{Type: sqp.TypeQuery, Challenge: sqp.ChallengeRequest{Token: 1}},
			Err: lobbywire.ErrInvalid, Field: "challenge"},
	})
}
