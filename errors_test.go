package lobbywire_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/sqp"
)

func TestErrorTextNamesFieldAndOffset(t *testing.T) {
	for _, tt := range []struct {
		err  lobbywire.Error
		want string
	}{
		{lobbywire.Error{Proto: "sqp", Field: "players[3].name", Offset: 17, Err: lobbywire.ErrTruncated},
			"sqp: players[3].name at byte 17: truncated"},
		{lobbywire.Error{Proto: "sqp", Offset: 0, Err: lobbywire.ErrTrailing}, "sqp: message at byte 0: trailing data"},
		{lobbywire.Error{Proto: "sqp", Field: "name", Offset: -1, Err: lobbywire.ErrTooLarge},
			"sqp: name: limit exceeded"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestErrorUnwrapsToItsKind(t *testing.T) {
	var err error = &lobbywire.Error{Proto: "sqp", Err: lobbywire.ErrInvalid}
	if !errors.Is(err, lobbywire.ErrInvalid) || errors.Is(err, lobbywire.ErrTruncated) {
		t.Error("errors.Is does not find the kind")
	}
}

// What Annotate writes is what hexfile reads.
func TestAnnotateKeepsTheBytes(t *testing.T) {
	packet := []byte("\x01\x00\x00\x00\x07\x00\x01\x00\x00\x00\x14" +
		"\x00\x00\x00\x10\x00\x01\x00\x02\x06# a: b\x00\x00\x00\x00\x03")
	for n := range len(packet) + 1 {
		text := sqp.ExplainQueryResponse(packet[:n], sqp.ChunkServerInfo).Annotate(packet[:n])
		_, got, err := hexfile.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(packet[:n], append([]byte{}, got...)); diff != "" {
			t.Fatalf("bytes (-want +got):\n%s\n%s", diff, text)
		}
	}
}

// A launcher distinguishes a truncated packet from one of another protocol.
func ExampleError() {
	_, err := sqp.ParseQueryRequest([]byte{1, 0, 0})
	fmt.Println(errors.Is(err, lobbywire.ErrTruncated))

	var e *lobbywire.Error
	if errors.As(err, &e) {
		fmt.Println(e.Field, e.Offset)
	}
	// Output:
	// true
	// token 1
}

// Explanations are for people: a packet with the name of every field.
func ExampleExplanation_Annotate() {
	b, err := sqp.QueryResponse{
		Token:       0x80902348,
		Version:     sqp.Version,
		ServerRules: []sqp.Rule{{Key: "rounds", Value: sqp.Uint16(300)}},
	}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(sqp.ExplainQueryResponse(b, sqp.ChunkServerRules).Annotate(b))
	// Output:
	// 01                                              # 0+1 type = 1
	// 80 90 23 48                                     # 1+4 token = 2156929864
	// 00 01                                           # 5+2 version = 1
	// 00                                              # 7+1 currentPacket = 0
	// 00                                              # 8+1 lastPacket = 0
	// 00 0e                                           # 9+2 packetLength = 14
	// 00 00 00 0a                                     # 11+4 serverRules.chunkLength = 10
	// 06 72 6f 75 6e 64 73                            # 15+7 serverRules[0].key = "rounds"
	// 01                                              # 22+1 serverRules[0].type = 1
	// 01 2c                                           # 23+2 serverRules[0].value = 300
}

// The zero Error has a text, too.
func TestZeroErrorHasAText(t *testing.T) {
	if got, want := new(lobbywire.Error).Error(), "message at byte 0: unknown error"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
