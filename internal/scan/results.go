package scan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
)

// Query asks one server. read returns the answer in a Result, or the reason why there is
// none, which may say more than the Result does: see Reason.
func Query[A any](ctx context.Context, s *Scanner, addr string, read func(Result) (A, error)) (A, error) {
	r, err := s.Ask(ctx, addr)
	a, reason := read(r)
	if err == nil || errors.Is(err, lobbywire.ErrTimeout) || errors.Is(err, lobbywire.ErrUnreadable) {
		err = reason
	}
	return a, err
}

// Reason returns the error of a Result with what is wrong with a datagram that has
// arrived, nil if none has. What has arrived is not called silence.
func Reason(err, wrong error) error {
	switch {
	case err == nil || wrong == nil:
		return err
	case errors.Is(err, lobbywire.ErrTimeout):
		err = lobbywire.ErrUnreadable
	}
	return fmt.Errorf("%w: %w", err, wrong)
}

// ByTarget yields the targets of results, with what read makes of each.
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
