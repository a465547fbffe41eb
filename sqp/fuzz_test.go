package sqp_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/sqp"
)

func FuzzQueryResponse(f *testing.F) {
	for _, g := range golden.Load(f) {
		if g.Message() == "QueryResponse" {
			f.Add(g.Data, uint8(chunksOf(f, g)))
		}
	}
	full, err := fullAnswer(3).AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full, uint8(sqp.AllChunks))
	f.Fuzz(func(t *testing.T, b []byte, chunks uint8) {
		queryResponses(sqp.Chunks(chunks)).Check(t, b)
	})
}

// FuzzAssembler splits a body anywhere and adds the packets in any order, some of them
// twice, with a foreign packet between them. The answer must be the answer of the whole
// body.
func FuzzAssembler(f *testing.F) {
	body := func(m sqp.QueryResponse) []byte {
		b, err := m.AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		return b[11:]
	}
	f.Add(body(fullAnswer(2)), uint8(sqp.AllChunks), []byte{10, 1, 200, 3}, []byte{3, 0, 1, 1, 2})
	f.Add(body(sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: "name"}}), uint8(1), []byte{4}, []byte{1, 0})
	f.Add([]byte{}, uint8(0), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, body []byte, chunks uint8, cuts, order []byte) {
		if len(body) > 4096 || len(cuts) > 64 {
			return
		}
		var parts []sqp.Packet
		rest := body
		for _, n := range cuts {
			n := min(int(n), len(rest))
			parts = append(parts, sqp.Packet{Token: 7, Version: 1, CurrentPacket: uint8(len(parts)), Body: rest[:n]})
			rest = rest[n:]
		}
		parts = append(parts, sqp.Packet{Token: 7, Version: 1, CurrentPacket: uint8(len(parts)), Body: rest})
		for i := range parts {
			parts[i].LastPacket = uint8(len(parts) - 1)
		}

		var a sqp.Assembler
		added := map[uint8]bool{}
		add := func(p sqp.Packet) {
			b, err := p.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(added) > 0 {
				foreign := bytes.Clone(b)
				foreign[1] ^= 0xff
				if _, err := a.Add(foreign); !errors.Is(err, lobbywire.ErrInvalid) {
					t.Fatalf("foreign packet: %v", err)
				}
			}
			added[p.CurrentPacket] = true
			done, err := a.Add(b)
			clear(b)
			if err != nil || done != (len(added) == len(parts)) {
				t.Fatalf("%d of %d packets added: done %v, error %v", len(added), len(parts), done, err)
			}
			if got := len(a.Missing()); got != len(parts)-len(added) {
				t.Fatalf("%d packets missing, want %d", got, len(parts)-len(added))
			}
		}
		for _, i := range order {
			add(parts[int(i)%len(parts)])
		}
		for _, p := range parts {
			add(p)
		}

		got, gotErr := a.QueryResponse(sqp.Chunks(chunks))
		whole, err := sqp.Packet{Token: 7, Version: 1, Body: body}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := sqp.ParseQueryResponse(whole, sqp.Chunks(chunks))
		if diff := codectest.Diff(want, got, compare); diff != "" {
			t.Fatalf("joined (-whole +joined):\n%s", diff)
		}
		if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
			t.Fatalf("joined: %v, whole: %v", gotErr, wantErr)
		}
	})
}
