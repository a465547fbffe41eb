package wzhttp_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// FuzzLine also checks that accepted lines can be appended to a list, if they can be
// appended at all, and are read from it.
//
//wire:test
func FuzzLine(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		lineCodec.Check(t, b)
		m, err := wzhttp.ParseLine(b)
		if err != nil {
			return
		}
		line, err := wzhttp.AppendLine(nil, m)
		if err != nil {
			return
		}
		games, header, errs := readList(wzhttp.Options{}, line)
		if len(errs) > 0 || len(games) == 0 && header == nil {
			t.Fatalf("appended as %q, read as %v, %v, %v", line, games, header, errs)
		}
	})
}

// readList reads a list that arrives in the given parts, and returns its games, the
// header, nil if there is none, and the errors.
func readList(o wzhttp.Options, parts ...[]byte) (games []wzhttp.Game, header *wzhttp.ListHeader, errs []error) {
	l := wzhttp.ListReader{Options: o}
	add := func(g wzhttp.Game, err error) {
		if err != nil {
			errs = append(errs, err)
		} else {
			games = append(games, g)
		}
	}
	for _, p := range parts {
		in := bytes.Clone(p)
		for g, err := range l.Add(in) {
			add(g, err)
		}
		clear(in)
	}
	for g, err := range l.End() {
		add(g, err)
	}
	if h, ok := l.Header(); ok {
		header = &h
	}
	return games, header, errs
}

// texts returns the texts of errors.
func texts(errs []error) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// FuzzListReader checks that the result does not depend on how a list is cut into parts.
func FuzzListReader(f *testing.F) {
	var all []byte
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1})
		all = append(append(all, bytes.TrimRight(g.Data, "\r")...), '\n')
	}
	f.Add(all, []byte{1, 7, 200, 3})
	f.Fuzz(func(t *testing.T, list, sizes []byte) {
		o := wzhttp.Options{MaxList: 3000}
		games, header, errs := readList(o, list)
		var parts [][]byte
		for rest, i := list, 0; len(rest) > 0; i++ {
			size := 1
			if len(sizes) > 0 {
				size = min(max(1, int(sizes[i%len(sizes)])), len(rest))
			}
			parts = append(parts, rest[:size])
			rest = rest[size:]
		}
		games2, header2, errs2 := readList(o, parts...)
		if diff := cmp.Diff(games, games2, compare); diff != "" {
			t.Fatalf("games (-whole +parts):\n%s", diff)
		}
		if diff := cmp.Diff(header, header2, compare); diff != "" {
			t.Fatalf("header (-whole +parts):\n%s", diff)
		}
		if diff := cmp.Diff(texts(errs), texts(errs2)); diff != "" {
			t.Fatalf("errors (-whole +parts):\n%s", diff)
		}
		for _, err := range errs {
			codectest.CheckError(t, err, len(list))
		}
	})
}
