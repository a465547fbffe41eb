package targets

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A silent candidate delays the next one by stagger, a failing one does not, and the
// first success cancels the others.
func TestSilentCandidatesDelayByStagger(t *testing.T) {
	silent, broken, late, good := netip.MustParseAddrPort("192.0.2.1:1"), netip.MustParseAddrPort("192.0.2.1:2"),
		netip.MustParseAddrPort("192.0.2.1:3"), netip.MustParseAddrPort("192.0.2.1:4")
	garbled, challenging := netip.MustParseAddrPort("192.0.2.1:5"), netip.MustParseAddrPort("192.0.2.1:6")
	errBroken := errors.New("broken")
	for _, tt := range []struct {
		name       string
		candidates []netip.AddrPort
		at         netip.AddrPort
		err        error
		took       time.Duration
	}{
		{"one", []netip.AddrPort{good}, good, nil, 0},
		{"after silence", []netip.AddrPort{silent, good}, good, nil, stagger},
		{"after a failure", []netip.AddrPort{broken, good}, good, nil, 0},
		{"the first to answer", []netip.AddrPort{late, good}, good, nil, stagger},
		{"all fail", []netip.AddrPort{silent, broken}, silent, context.DeadlineExceeded, time.Minute},
		{"unreadable after silence", []netip.AddrPort{silent, garbled}, garbled, lobbywire.ErrUnreadable, time.Minute},
		{"unreadable after a failure", []netip.AddrPort{broken, garbled}, garbled, lobbywire.ErrUnreadable, 0},
		{"a challenge after silence", []netip.AddrPort{silent, challenging}, challenging, lobbywire.ErrChallengeOnly,
			time.Minute},
		{"a challenge after unreadable", []netip.AddrPort{garbled, challenging}, challenging,
			lobbywire.ErrChallengeOnly, 0},
		{"a challenge before unreadable", []netip.AddrPort{challenging, garbled}, challenging,
			lobbywire.ErrChallengeOnly, 0},
		{"unreadable before a failure", []netip.AddrPort{garbled, broken}, garbled, lobbywire.ErrUnreadable, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			start := time.Now()
			text, at, err := TryInTurn(ctx, tt.candidates, func(ctx context.Context, at netip.AddrPort) (string, error) {
				switch at {
				case good:
					return "yes", nil
				case broken:
					return "", errBroken
				case garbled:
					return "", lobbywire.ErrUnreadable
				case challenging:
					return "", lobbywire.ErrChallengeOnly
				case late:
					select {
					case <-time.After(2 * stagger):
						return "late", nil
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				<-ctx.Done()
				return "", ctx.Err()
			})
			if at != tt.at || !errors.Is(err, tt.err) || (text == "yes") != (tt.err == nil) || time.Since(start) != tt.took {
				t.Errorf("%s: %q at %s, %v, after %v", tt.name, text, at, err, time.Since(start))
			}
			synctest.Wait()
		})
	}
}
