package gamespy2_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
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
		o := gamespy2.Options{Sections: gamespy2.Sections(sections), Strict: strict, Part: part}
		responseCodecWith(o).Check(t, b)

		if m, err := gamespy2.ParseResponse(b); err == nil {
			checkAsRead(t, m)
		}
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
		m.BF2()
		m.Minecraft()
	})
}

// checkAsRead tests that CutAsRead refuses m, or that its packets are read as m.
func checkAsRead(t *testing.T, m gamespy2.Response) {
	t.Helper()
	packets, err := m.PacketsCut(gamespy2.CutAsRead)
	switch {
	case err != nil:
		codectest.CheckError(t, err, -1)
	case m.Split:
		if diff := codectest.Diff(m, assembled(t, packets), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q (-read +sent):\n%s", packets, diff)
		}
	}
}

// FuzzAssembler cuts a response, whose texts are fuzzed, in one of four ways. It adds
// the packets in any order, some twice, with a foreign packet between them, and wants
// the response back. While packets are missing, the partial response must have nothing
// else. A damaged packet must be refused without effect, or leave a consistent state.
func FuzzAssembler(f *testing.F) {
	answers := splitAnswers(f)
	for i := range answers {
		f.Add(uint8(i), []byte("a\x00bc\x00\x00d e"), uint16(60+i), []byte{2, 0, 1, 1}, []byte{1, 5, 1})
		f.Add(uint8(i), []byte{}, uint16(1400), []byte{}, []byte{0, 14, 0x80, 0, 15, 2, 1, 30, 1})
	}
	f.Fuzz(func(t *testing.T, answer uint8, texts []byte, size uint16, order, damage []byte) {
		if len(texts) > 1<<10 || len(order) > 32 || len(damage) > 24 {
			return
		}
		m, err := gamespy2.ParseResponse(answers[int(answer)%len(answers)])
		if err != nil {
			t.Fatal(err)
		}
		setTexts(&m, texts)
		if _, err := m.AppendBinary(nil); err != nil {
			return
		}
		packets := cutOf(t, m, int(size))
		if packets == nil {
			return
		}
		deliver(t, m, packets, order)
		disturb(t, packets, order, damage)
	})
}

// splitAnswers returns the golden files of split responses, and larger ones.
func splitAnswers(t testing.TB) [][]byte {
	t.Helper()
	answers := [][]byte{
		mustAppend(t, tinyResponse(true)),
		mustAppend(t, bf2Response(3)),
		mustAppend(t, bf2Response(24)),
		mustAppend(t, crowd(64, 12)),
	}
	for _, g := range golden.Load(t) {
		m, err := gamespy2.ParseResponse(g.Data)
		if err != nil || !m.Split {
			continue
		}
		if _, err := m.AppendBinary(nil); err == nil {
			answers = append(answers, g.Data)
		}
	}
	return answers
}

// setTexts sets the first values of the info and of the tables to texts, each of
// which ends with a zero byte.
func setTexts(m *gamespy2.Response, texts []byte) {
	var values []*string
	for i := range m.Info {
		values = append(values, &m.Info[i].Value)
	}
	for _, table := range []*gamespy2.Table{&m.Players, &m.Teams} {
		for _, row := range table.Rows {
			for i := range row {
				values = append(values, &row[i])
			}
		}
	}
	// From the end, because a reader knows a table by the values after it.
	slices.Reverse(values)
	for i, text := range bytes.Split(texts, []byte{0}) {
		if i < len(values) && len(text) > 0 {
			*values[i] = string(text)
		}
	}
}

// cutOf returns the packets of a response, cut into some of a size or, for some sizes,
// in one of the ways that users can choose.
func cutOf(t *testing.T, m gamespy2.Response, size int) [][]byte {
	t.Helper()
	cuts := []gamespy2.Cut{gamespy2.CutForAll, gamespy2.CutColumns, gamespy2.CutAnywhere, gamespy2.CutAsRead}
	limit := gamespy2.MaxPacket
	var packets [][]byte
	if way := size % 8; way < len(cuts) {
		packets, _ = m.PacketsCut(cuts[way])
	} else {
		limit = size % 2048
		packets = gamespy2.CutInto(m, limit)
	}
	for _, p := range packets {
		if len(p) > max(limit, 80) && len(packets) > 1 { // fewer bytes have no room for a header and a name
			t.Fatalf("a packet has %d bytes, the limit is %d", len(p), limit)
		}
	}
	return packets
}

// disturb adds the packets of order to an Assembler, and then damaged ones. Each has
// three bytes of damage: its number, the offset of a byte, and the bits to invert.
func disturb(t *testing.T, packets [][]byte, order, damage []byte) {
	t.Helper()
	var a gamespy2.Assembler
	for _, i := range order {
		if _, err := a.Add(packets[int(i)%len(packets)]); err != nil {
			t.Fatal(err)
		}
	}
	for ; len(damage) >= 3; damage = damage[3:] {
		p := bytes.Clone(packets[int(damage[0])%len(packets)])
		p[int(damage[1])%len(p)] ^= damage[2]
		missing := a.Missing()
		before, errBefore := a.Response()
		done, err := a.Add(p)
		after, errAfter := a.Response()
		if errAfter == nil && len(a.Missing()) > 0 && !after.Partial {
			t.Fatalf("missing %v, but the response is not partial", a.Missing())
		}
		if err == nil {
			if done != (len(a.Missing()) == 0) {
				t.Fatalf("done %v, missing %v", done, a.Missing())
			}
			continue
		}
		if !slices.Equal(missing, a.Missing()) || (errBefore == nil) != (errAfter == nil) ||
			!reflect.DeepEqual(before, after) {
			t.Fatalf("%q, refused with %v, changed the state: %s", p, err, cmp.Diff(before, after))
		}
	}
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
