package gamespy2_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/codectest"
	"github.com/lobbywire/lobbywire/internal/golden"
)

//wire:test
func FuzzRequest(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, g.Header["Challenge"] != "", false)
	}
	f.Fuzz(func(t *testing.T, b []byte, challenge, strict bool) {
		requestCodec.Check(t, b)
		requestCodecWith(gamespy2.Options{Challenge: challenge, Strict: strict}).Check(t, b)
	})
}

func FuzzValues(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, 6)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int) { values(n).Check(t, b) })
}

//wire:test
func FuzzResponse(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, uint8(0), false, g.Header["Part"] != "")
		f.Add(g.Data, uint8(gamespy2.AllSections), true, true)
	}
	f.Add(mustAppend(f, bf2Response(3)), uint8(0), false, false)
	for _, p := range gamespy2.CutInto(bf2Response(3), 300) {
		f.Add(p, uint8(0), false, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, sections uint8, strict, part bool) {
		responseCodec.Check(t, b)
		o := gamespy2.Options{Sections: gamespy2.Sections(sections), Strict: strict, Part: part, MaxTableValues: 100}
		responseCodecWith(o).Check(t, b)

		strictly, err := gamespy2.Options{Strict: true}.ParseResponse(b)
		if err != nil {
			return
		}
		m, err := gamespy2.ParseResponse(b)
		if err != nil {
			t.Fatalf("accepted strictly, but not by default: %v", err)
		}
		if again, err := strictly.AppendBinary(nil); err == nil && m.Split && bytes.Equal(again, b) {
			if diff := cmp.Diff(strictly, m); diff != "" {
				t.Fatalf("read differently (-strict +default):\n%s", diff)
			}
		}
		_, _ = m.BF2()
	})
}

// FuzzAssembler cuts a response in two ways. It adds the packets in any order, some
// twice, with a foreign packet between them, and wants the response back. While
// packets are missing, the partial response must have nothing else.
func FuzzAssembler(f *testing.F) {
	f.Add(mustAppend(f, bf2Response(40)), uint16(900), []byte{2, 0, 1, 1})
	f.Add(mustAppend(f, bf2Response(64)), uint16(1400), []byte{1, 2, 1})
	f.Add(mustAppend(f, tinyResponse(true)), uint16(80), []byte{})
	f.Add(mustAppend(f, crowd(128, 12)), uint16(500), []byte{3, 1})
	f.Fuzz(func(t *testing.T, b []byte, size uint16, order []byte) {
		if len(b) > 1<<13 || len(order) > 200 {
			return
		}
		m, err := gamespy2.ParseResponse(b)
		if err != nil || !m.Split || len(m.Players.Rows) > 256 || len(m.Teams.Rows) > 256 {
			return
		}
		if _, err := m.AppendBinary(nil); err != nil {
			return
		}
		for _, cut := range []gamespy2.Cut{gamespy2.CutForAll, gamespy2.CutColumns, gamespy2.CutAnywhere} {
			packets, err := m.PacketsCut(cut)
			if err != nil {
				continue
			}
			for _, p := range packets {
				if len(p) > gamespy2.MaxPacket {
					t.Fatalf("a packet has %d bytes", len(p))
				}
			}
			deliver(t, m, packets, order)
		}
		if packets := gamespy2.CutInto(m, int(size)); packets != nil {
			deliver(t, m, packets, order)
		}
	})
}

// deliver adds the packets to an Assembler, first those with the numbers in order.
func deliver(t *testing.T, want gamespy2.Response, packets [][]byte, order []byte) {
	t.Helper()
	var a gamespy2.Assembler
	added := map[int]bool{}
	add := func(i int) {
		if len(added) > 0 {
			foreign := bytes.Clone(packets[i])
			foreign[1] ^= 0xff
			if _, err := a.Add(foreign); !errors.Is(err, lobbywire.ErrInvalid) {
				t.Fatalf("foreign packet: %v", err)
			}
		}
		added[i] = true
		p := bytes.Clone(packets[i])
		done, err := a.Add(p)
		clear(p)
		if err != nil || done != (len(added) == len(packets)) {
			t.Fatalf("%d of %d packets added: done %v, error %v", len(added), len(packets), done, err)
		}
		if (len(a.Missing()) == 0) != done {
			t.Fatalf("done %v, missing %v", done, a.Missing())
		}
	}
	for _, i := range order {
		add(int(i) % len(packets))
	}
	if len(added) > 0 && len(added) < len(packets) {
		got, err := a.Response()
		if err != nil {
			t.Fatalf("in part: %v", err)
		}
		checkPart(t, want, got)
	}
	for i := range packets {
		add(i)
	}
	got, err := a.Response()
	if err != nil {
		t.Fatal(err)
	}
	if diff := codectest.Diff(want, got); diff != "" {
		t.Fatalf("%q\njoined (-want +got):\n%s", packets, diff)
	}
}

// checkPart checks that got is a part of whole.
func checkPart(t *testing.T, whole, got gamespy2.Response) {
	t.Helper()
	if !got.Partial {
		t.Fatal("packets are missing, but the response is not partial")
	}
	for _, kv := range got.Info {
		if !slices.Contains(whole.Info, kv) {
			t.Fatalf("%q is not in the whole answer", kv)
		}
	}
	for _, table := range []struct{ got, whole *gamespy2.Table }{
		{&got.Players, &whole.Players}, {&got.Teams, &whole.Teams},
	} {
		for i, name := range table.got.Columns {
			column := table.whole.Column(name)
			if column < 0 {
				t.Fatalf("column %q is not in the whole answer", name)
			}
			for j, row := range table.got.Rows {
				if row[i] != "" && row[i] != table.whole.Rows[j][column] {
					t.Fatalf("row %d, %s: %q, want %q", j, name, row[i], table.whole.Rows[j][column])
				}
			}
		}
	}
}
