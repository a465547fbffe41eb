package sqp

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lobbywire/lobbywire"
)

// An answer from prepared chunks is the encoded answer with those chunks.
func TestPreparedAnswers(t *testing.T) {
	whole := QueryResponse{
		Version:     3,
		ServerInfo:  &ServerInfo{ServerName: "one", MaxPlayers: 8},
		ServerRules: []Rule{},
		PlayerInfo:  &Table{},
		Metrics:     &Metrics{Values: []float32{1, 2}},
	}
	p, err := whole.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	for chunks := range AllChunks + 1 {
		want := QueryResponse{Token: 7, Version: 3}
		if chunks&ChunkServerInfo != 0 {
			want.ServerInfo = whole.ServerInfo
		}
		if chunks&ChunkServerRules != 0 {
			want.ServerRules = whole.ServerRules
		}
		if chunks&ChunkPlayerInfo != 0 {
			want.PlayerInfo = whole.PlayerInfo
		}
		if chunks&ChunkMetrics != 0 {
			want.Metrics = whole.Metrics
		}
		wire, err := want.AppendBinary([]byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		got := p.AppendAnswer([]byte("before"), QueryRequest{Token: 7, Version: Version, Chunks: chunks})
		if diff := cmp.Diff(wire, got); diff != "" {
			t.Errorf("%v: %s", chunks, diff)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	m := QueryResponse{ServerInfo: &ServerInfo{ServerName: strings.Repeat("x", MaxText+1)}}
	if _, err := m.Prepare(); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("got error %v", err)
	}
}
