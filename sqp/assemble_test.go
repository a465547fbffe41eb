package sqp_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

func TestAssemblerRefusesWhatDoesNotBelong(t *testing.T) {
	first := sqp.Packet{Token: 7, Version: 1, CurrentPacket: 0, LastPacket: 2, Body: []byte("ab")}
	for _, tt := range []struct {
		name  string
		p     sqp.Packet
		kind  error
		field string
	}{
		{"another token", sqp.Packet{Token: 8, Version: 1, CurrentPacket: 1, LastPacket: 2},
			lobbywire.ErrInvalid, "token"},
		{"another last packet", sqp.Packet{Token: 7, Version: 1, CurrentPacket: 1, LastPacket: 3},
			lobbywire.ErrInvalid, "lastPacket"},
		{"same number, another body", sqp.Packet{Token: 7, Version: 1, CurrentPacket: 0, LastPacket: 2,
			Body: []byte("ac")}, lobbywire.ErrInvalid, "currentPacket"},
		{"more than the limit", sqp.Packet{Token: 7, Version: 1, CurrentPacket: 1, LastPacket: 2, Body: []byte("abc")},
			lobbywire.ErrTooLarge, "body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := sqp.Assembler{MaxAnswer: 4}
			if _, err := a.Add(mustAppend(t, first)); err != nil {
				t.Fatal(err)
			}
			done, err := a.Add(mustAppend(t, tt.p))
			var e *lobbywire.Error
			if done || !errors.As(err, &e) || !errors.Is(err, tt.kind) || e.Field != tt.field {
				t.Errorf("done %v, error %v", done, err)
			}
			if diff := cmp.Diff([]int{1, 2}, a.Missing()); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAssemblerReturnsWholeAnswersOnly(t *testing.T) {
	var a sqp.Assembler
	if a.Missing() != nil {
		t.Errorf("missing %v before the first packet", a.Missing())
	}
	for _, p := range []sqp.Packet{{}, {LastPacket: 1}} {
		if p.LastPacket > 0 {
			if _, err := a.Add(mustAppend(t, p)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := a.QueryResponse(sqp.ChunkServerInfo); !errors.Is(err, lobbywire.ErrTruncated) {
			t.Errorf("answer before it is whole: %v", err)
		}
	}
}

// All 256 packets are a legal answer: the number of the last one is a byte.
func TestAssemblerTakes256Packets(t *testing.T) {
	body := mustAppend(t, fullAnswer(32))[11:]
	var a sqp.Assembler
	for n := 255; n >= 0; n-- {
		from, to := n*len(body)/256, (n+1)*len(body)/256
		done, err := a.Add(mustAppend(t,
			sqp.Packet{Token: 0xc07a6c3d, Version: 1, CurrentPacket: uint8(n), LastPacket: 255, Body: body[from:to]}))
		if err != nil || done != (n == 0) {
			t.Fatalf("packet %d: done %v, error %v", n, done, err)
		}
	}
	got, err := a.QueryResponse(sqp.AllChunks)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullAnswer(32), got, compare); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
