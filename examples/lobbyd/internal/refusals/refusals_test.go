package refusals

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/internal/wire"
)

func addrOf(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 6500)
}

func TestRecentKeepsRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Recent
		master := b.Of("gamespy", false)
		host := netip.MustParseAddrPort("192.0.2.7:6500")
		key := lobbywire.Refusal{From: host, Reason: lobbywire.ReasonKey, Game: "bf2"}
		master(key)
		time.Sleep(time.Minute)
		master(lobbywire.Refusal{From: host, Reason: lobbywire.ReasonUnreachable})
		time.Sleep(time.Minute)
		master(key)
		master(lobbywire.Refusal{From: netip.MustParseAddrPort("192.0.2.8:6500"), Reason: lobbywire.ReasonKey})
		want := []Refusal{
			{Server: "gamespy", From: host, Reason: lobbywire.ReasonKey, Game: "bf2", Text: key.String(), Last: time.Now(),
				Before: time.Now().Add(-2 * time.Minute), Count: 2},
			{Server: "gamespy", From: host, Reason: lobbywire.ReasonUnreachable,
				Text: "the server does not answer at its address (port 6500)", Last: time.Now().Add(-time.Minute), Count: 1},
		}
		diff := cmp.Diff(want, b.From(host.Addr()), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b }))
		if diff != "" {
			t.Error(diff)
		}
		if got := b.Counts()[lobbywire.ReasonKey]; got != 3 {
			t.Errorf("%d refusals because of a key", got)
		}
	})
}

// A pending server is neither counted nor logged as refused, and no longer pending once
// something else is known about it.
func TestPendingIsNotRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := Recent{Warnings: &admission.Warnings{Logger: slog.New(slog.NewTextHandler(failing{t}, nil))}}
		host := netip.MustParseAddrPort("192.0.2.7:6500")
		reasons := func() (all []string) {
			for _, x := range b.From(host.Addr()) {
				all = append(all, x.Server+" "+x.Reason.String())
			}
			return all
		}
		report := func(server string, port uint16, reason lobbywire.Reason, want ...string) {
			t.Helper()
			time.Sleep(time.Second)
			b.Of(server, false)(lobbywire.Refusal{From: netip.AddrPortFrom(host.Addr(), port), Reason: reason})
			if diff := cmp.Diff(want, reasons()); diff != "" {
				t.Error(diff)
			}
		}
		report("gamespy", 6500, lobbywire.ReasonChallenge, "gamespy challenge")
		report("gamespy", 6500, lobbywire.ReasonQuery, "gamespy query")
		report("gamespy", 6501, lobbywire.ReasonChallenge, "gamespy challenge", "gamespy query")
		report("http", 0, lobbywire.ReasonIncomplete, "http incomplete", "gamespy challenge", "gamespy query")
		report("http", 2100, lobbywire.ReasonQuery, "http query", "gamespy challenge", "gamespy query")
		report("gameagent", 6500, lobbywire.ReasonProtocol, "gameagent protocol", "http query", "gamespy challenge",
			"gamespy query")
		if got := b.Counts(); len(got) != 1 || got[lobbywire.ReasonProtocol] != 1 {
			t.Errorf("counted: %v", got)
		}
		b.Warnings = nil
		report("gamespy", 6500, lobbywire.ReasonUnreachable, "gamespy unreachable", "gameagent protocol", "http query",
			"gamespy challenge")
		report("gamespy", 6500, lobbywire.ReasonChallenge, "gamespy challenge", "gamespy unreachable",
			"gameagent protocol", "http query", "gamespy challenge")
	})
}

// A failing is a log that must stay empty.
type failing struct{ t *testing.T }

func (f failing) Write(line []byte) (int, error) {
	f.t.Errorf("logged: %s", line)
	return len(line), nil
}

// Refusals that are not remembered are counted, until there are none for a while.
func TestMissedRefusalsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Recent
		pending := b.Of("gamespy", false)
		start := time.Now()
		want := func(n uint64, since time.Time) {
			t.Helper()
			if got, from := b.Missed(); got != n || n > 0 && !from.Equal(since) {
				t.Errorf("%d since %v, want %d since %v", got, from, n, since)
			}
		}
		for i := range 20 {
			pending(lobbywire.Refusal{From: addrOf(i), Reason: lobbywire.ReasonChallenge})
		}
		want(20-maxPerPrefix, start)
		for i := range 2 * maxPrefixes {
			pending(lobbywire.Refusal{From: addrOf(i << 8), Reason: lobbywire.ReasonChallenge})
		}
		time.Sleep(recent)
		// One more of the first prefix, and the first half of the prefixes.
		const all = (20 - maxPerPrefix) + 1 + maxPerPrefix + (maxPrefixes - 1)
		want(all, start)
		pending(lobbywire.Refusal{From: addrOf(0), Reason: lobbywire.ReasonChallenge, Missed: 1000})
		want(all+1000, start)
		time.Sleep(recent + 1)
		want(0, start)
	})
}

// Neither a flood of its neighbours nor one of forged addresses displaces a refusal; the
// memory stays bounded.
func TestFloodDisplacesNoRefusal(t *testing.T) {
	var b Recent
	host := netip.MustParseAddrPort("192.0.2.7:6500")
	b.Of("warzone", true)(lobbywire.Refusal{From: host, Reason: lobbywire.ReasonUnreachable})
	forged := b.Of("gamespy", false)
	for i := range 100_000 {
		forged(lobbywire.Refusal{From: addrOf(i << 8), Reason: lobbywire.ReasonGame})
		if i%2 == 0 {
			forged(lobbywire.Refusal{From: addrOf(i), Reason: lobbywire.ReasonGame})
		}
	}
	if got := b.From(host.Addr()); len(got) != 1 {
		t.Errorf("%v is left", got)
	}
	pending := b.Of("gamespy", false)
	for i := range 100_000 {
		pending(lobbywire.Refusal{From: addrOf(i << 8), Reason: lobbywire.ReasonChallenge})
	}
	if n := len(b.quiet.groups); n != maxPrefixes || b.quiet.order.Len() != n {
		t.Errorf("%d prefixes of pending servers, %d in order", n, b.quiet.order.Len())
	}
	if n := len(b.claimed.groups); n != maxPrefixes || b.claimed.order.Len() != n {
		t.Errorf("%d prefixes, %d in order", n, b.claimed.order.Len())
	}
	for _, e := range b.claimed.groups {
		if n := len(e.Value.(*group[Refusal]).events); n > maxPerPrefix {
			t.Errorf("%d refusals of a prefix", n)
		}
	}
}

// A server that has left the lists ends its earlier pending refusals, but no refusals of others.
// The number of such servers is bounded, like the number of refusals.
func TestLeftEndsPendingRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Recent
		at := netip.MustParseAddrPort("192.0.2.7:6500")
		spy := b.Of("gamespy", false)
		spy(lobbywire.Refusal{From: at, Reason: lobbywire.ReasonChallenge})
		spy(lobbywire.Refusal{From: netip.AddrPortFrom(at.Addr(), 6501), Reason: lobbywire.ReasonChallenge})
		b.Of("gameagent", false)(lobbywire.Refusal{From: at, Reason: lobbywire.ReasonQuery})
		time.Sleep(time.Second)
		e := &catalogue.Entry{Family: catalogue.GameSpy, At: at, Query: at}
		heard := time.Now()
		time.Sleep(time.Second)
		b.Left(Departure{Entry: e, Heard: heard, Until: time.Now(), Why: "it said goodbye"})
		var got []string
		for _, x := range b.From(at.Addr()) {
			got = append(got, x.Server+" "+x.From.String())
		}
		slices.Sort(got)
		if want := []string{"gameagent 192.0.2.7:6500", "gamespy 192.0.2.7:6501"}; !slices.Equal(got, want) {
			t.Errorf("pending are %q, want %q", got, want)
		}
		spy(lobbywire.Refusal{From: at, Reason: lobbywire.ReasonChallenge}) // it starts again
		b.Left(Departure{Entry: e, Heard: heard, Until: time.Now(), Why: "it fell silent"})
		if all := b.LeftFrom(at.Addr()); len(all) != 1 || all[0].Why != "it fell silent" || len(b.From(at.Addr())) != 3 {
			t.Errorf("%+v, %+v", all, b.From(at.Addr()))
		}
		for port := range uint16(100) {
			next := *e
			next.At = netip.AddrPortFrom(at.Addr(), port)
			b.Left(Departure{Entry: &next, Until: time.Now()})
		}
		if n := len(b.LeftFrom(at.Addr())); n != maxPerPrefix {
			t.Errorf("%d are kept", n)
		}
		b.Left(Departure{Entry: new(catalogue.Entry)}) // without an address
	})
}

// An operator reads why a request is invalid in words of the game, not of a codec.
func TestReasonsAreInWordsOfTheGame(t *testing.T) {
	for _, tt := range []struct {
		proto, field string
		kind         error
		want         string
	}{
		{"wzhttp", "v", wire.Invalid("missing"), `it lacks the version of the game ("v")`},
		{"wzhttp", "players.max", wire.Invalid("is not an integer of 64 bits"),
			`the number of places for players ("players.max") is not an integer of 64 bits`},
		{"wzhttp", "x", wire.Invalid("missing"), `it lacks the field "x"`},
		{"wzjson", "v", wire.Invalid("missing"), `it lacks the field "v"`},
		{"qr2", "gamename", lobbywire.ErrTruncated, `it is cut off, in the field "gamename"`},
		{"qr2", "", lobbywire.ErrTrailing, "something follows its end"},
		{"warzone", "size", wire.TooLarge("70, at most 63"), `the field "size" is wrong: 70, at most 63`},
		{"warzone", "", lobbywire.ErrUnsupported, "a field is wrong: unsupported"},
	} {
		r := lobbywire.Refusal{Reason: lobbywire.ReasonInvalid,
			Err: fmt.Errorf("400: %w", &lobbywire.Error{Proto: tt.proto, Field: tt.field, Offset: 36, Err: tt.kind})}
		if got := textOf(r); got != "the request is invalid: "+tt.want {
			t.Errorf("%s %s: %q", tt.proto, tt.field, got)
		}
	}
}
