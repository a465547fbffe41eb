package sqp

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// An answer from prepared chunks is the encoded answer with those chunks.
func TestPreparedAnswersEqualEncodedOnes(t *testing.T) {
	whole := QueryResponse{
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
		want := QueryResponse{Token: 7, Version: VersionMetrics}
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
		q := QueryRequest{Token: 7, Version: VersionMetrics, Chunks: chunks}
		got := p.AppendPacket([]byte("before"), q, 0)
		if diff := cmp.Diff(wire, got); diff != "" || p.Packets(q) != 1 {
			t.Errorf("%v: %d packets, %s", chunks, p.Packets(q), diff)
		}
	}
}

// The answer to a query of version 0 says 0, after any bytes.
func TestPreparedAnswerHasTheVersionOfTheQuery(t *testing.T) {
	whole := QueryResponse{Token: 7, Version: VersionMetrics, ServerInfo: &ServerInfo{ServerName: "one"}}
	p, err := whole.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.AppendBinary([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	want[len("before")+6] = 0
	got := p.AppendPacket([]byte("before"), QueryRequest{Token: 7, Chunks: ChunkServerInfo}, 0)
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// A prepared answer is cut where Packets of the response cuts it.
func TestPreparedAnswersAreCutAsEncodedOnes(t *testing.T) {
	for _, players := range []int{0, 10, 121, 122, 123, 1000, 5000} {
		table := Table{Columns: []string{"name"}, Types: []ValueType{ValueString}}
		for range players {
			table.Rows = append(table.Rows, []Value{String("Samuel Stone")})
		}
		whole := QueryResponse{ServerInfo: &ServerInfo{ServerName: "one"}, PlayerInfo: &table, TeamInfo: &Table{}}
		p, err := whole.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			chunks Chunks
			answer QueryResponse
		}{
			{AllChunks, whole},
			{ChunkPlayerInfo, QueryResponse{PlayerInfo: &table}},
			{ChunkPlayerInfo | ChunkTeamInfo, QueryResponse{PlayerInfo: &table, TeamInfo: &Table{}}},
		} {
			tt.answer.Token = 7
			want, err := tt.answer.Packets()
			if err != nil {
				t.Fatal(err)
			}
			q := QueryRequest{Token: 7, Version: Version, Chunks: tt.chunks}
			var got [][]byte
			for n := range p.Packets(q) {
				got = append(got, p.AppendPacket(nil, q, n))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d players, %v: %s", players, tt.chunks, diff)
			}
		}
	}
}

func TestPrepareRefusesLongTexts(t *testing.T) {
	m := QueryResponse{ServerInfo: &ServerInfo{ServerName: strings.Repeat("x", MaxText+1)}}
	if _, err := m.Prepare(); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("got error %v", err)
	}
}
