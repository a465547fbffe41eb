package service

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A reader gets all lines in order, whenever it begins.
func TestReaderGetsAllLinesInOrder(t *testing.T) {
	t.Parallel()
	var l listing
	var want []byte
	var early position
	var got []byte
	read := func(at *position) {
		for {
			lines, _ := l.next(at)
			if lines == nil {
				return
			}
			got = append(got, lines...)
		}
	}
	for i := range 100 {
		line := append(bytes.Repeat([]byte{'a' + byte(i%26)}, i*100), '\n')
		l.add(bytes.Clone(line))
		want = append(want, line...)
		if i%3 == 0 {
			read(&early)
		}
	}
	l.end()
	read(&early)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("early (-want +got):\n%s", diff)
	}
	got = nil
	read(new(position))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("late (-want +got):\n%s", diff)
	}
	if lines, more := l.next(&early); lines != nil || more != nil {
		t.Errorf("after the end: %q, %v", lines, more)
	}
}

// A reader of a list holds units for all its lines, even if it does not read them. Without room
// for them, its answer is cut.
func TestReadersHoldTheirList(t *testing.T) {
	p := newPool(100, 50, 10)
	var l listing
	client := netip.MustParseAddr("192.0.2.1")
	slow, claim := p.take(t.Context(), client, 1)
	stop := l.follow(claim)
	line := bytes.Repeat([]byte{'x'}, unitOfLines)
	for i := range 9 {
		l.add(bytes.Clone(line))
		if p.units() != 2+i || slow.Err() != nil {
			t.Fatalf("%d units for %d lines", p.units(), i+1)
		}
	}
	late, second := p.take(t.Context(), netip.MustParseAddr("192.0.2.2"), 1)
	defer l.follow(second)()
	if p.units() != 20 {
		t.Errorf("%d units for two readers", p.units())
	}
	l.add(bytes.Clone(line))
	for _, ctx := range []interface{ Err() error }{slow, late} {
		if ctx.Err() == nil {
			t.Error("a reader keeps more than its part")
		}
	}
	stop()
	if p.units() != 0 || len(l.readers) != 1 {
		t.Errorf("%d units, %d readers are left", p.units(), len(l.readers))
	}
}
