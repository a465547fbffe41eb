package scan

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
)

// Query queries one server. read returns the answer in a Result, or the error if there is
// none.
func Query[A any](ctx context.Context, s *Scanner, addr string, read func(Result) (A, error)) (A, error) {
	r, err := s.Ask(ctx, addr)
	a, without := read(r)
	if err == r.Err { // and not why the query could not be sent, or was ended
		err = without
	}
	return a, err
}

// ByTarget yields the targets of results, and what read returns for each.
func ByTarget[R any](results iter.Seq[Result], read func(Result) R) iter.Seq2[netip.AddrPort, R] {
	return func(yield func(netip.AddrPort, R) bool) {
		for r := range results {
			if !yield(r.Target, read(r)) {
				return
			}
		}
	}
}

// Views yields results in the form that all protocols share: view makes it, except the
// address.
func Views[R any](results iter.Seq2[netip.AddrPort, R],
	view func(addr netip.AddrPort, r R) lobbywire.ScanResult) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		for addr, r := range results {
			v := view(addr, r)
			v.Query = addr
			if !yield(v) {
				return
			}
		}
	}
}
