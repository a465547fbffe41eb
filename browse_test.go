package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// The clients of all masters are Listers.
var (
	_ lobbywire.Lister = (*gamespy2net.Client)(nil)
	_ lobbywire.Lister = (*gameagentnet.Client)(nil)
	_ lobbywire.Lister = (*gamespy1net.Client)(nil)
	_ lobbywire.Lister = (*bombermannet.Client)(nil)
	_ lobbywire.Lister = (*warzonenet.Client)(nil)
	_ lobbywire.Lister = (*proposalnet.Client)(nil)
)

// A listFunc is a Lister.
type listFunc func(ctx context.Context, addr string) lobbywire.ListResult

func (f listFunc) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	return f(ctx, addr)
}

// hanging is a master that never answers.
var hanging = lobbywire.List{Addr: "hanging",
	Lister: listFunc(func(ctx context.Context, addr string) lobbywire.ListResult {
		<-ctx.Done()
		return lobbywire.ListResult{Protocol: "bomberman", Master: addr, Err: ctx.Err()}
	})}

// listIP is the address of the masters of listOf.
var listIP = netip.MustParseAddr("198.51.100.1")

// listOf returns a list that arrives after a time.
func listOf(after time.Duration, protocol, master string, servers ...lobbywire.Listed) lobbywire.List {
	return lobbywire.List{Addr: master, Lister: listFunc(func(ctx context.Context, addr string) lobbywire.ListResult {
		r := lobbywire.ListResult{Protocol: protocol, Master: addr, MasterIP: listIP, Servers: servers}
		select {
		case <-time.After(after):
		case <-ctx.Done():
			r.Servers, r.Err = nil, ctx.Err()
		}
		return r
	})}
}

// line describes a Row in one line.
func line(r lobbywire.Row) string {
	var b strings.Builder
	b.WriteString(r.View.Name)
	if r.View.Map != "" {
		fmt.Fprintf(&b, "/%s %d", r.View.Map, *r.View.Players)
	}
	b.WriteString("@" + r.Join)
	if r.Contested {
		b.WriteString(" contested")
	}
	for _, s := range r.Seen {
		b.WriteString(" " + s.Protocol)
		if s.Master != "" {
			b.WriteString("<" + s.Master)
		}
		if s.Query.IsValid() {
			b.WriteString("?" + s.Query.String())
		}
	}
	if r.Err != nil {
		b.WriteString(": " + r.Err.Error())
	}
	return b.String()
}

// last returns the last Row of each server, and the ends of lists, in order.
func last(rows []event) (servers, ends []string) {
	byNumber := map[int]string{}
	for _, r := range rows {
		if r.Number == 0 {
			ends = append(ends, line(r.Row))
			continue
		}
		byNumber[r.Number] = line(r.Row)
	}
	for _, s := range byNumber {
		servers = append(servers, s)
	}
	slices.Sort(servers)
	return servers, ends
}

func TestBrowseMergesListsAndScans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		karnak := lobbywire.View{Host: "192.0.2.3", Port: 25600}
		duel := lobbywire.View{Name: "Duel of the list", Host: "192.0.2.1", Port: 7777}
		gone := lobbywire.View{Name: "Gone", Host: "192.0.2.4", Port: 7000}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		var rows []event
		for r := range browsed(ctx,
			lobbywire.Source{List: hanging},
			lobbywire.Source{
				List: listOf(time.Second, "gameagent", "m1",
					lobbywire.Listed{Query: atGameAgent, View: karnak}, lobbywire.Listed{Query: nowhere, View: gone}),
				Scanner: &n.gameagent,
			},
			lobbywire.Source{
				List: listOf(1500*time.Millisecond, "gameagent", "m2",
					lobbywire.Listed{Query: atGameAgent, View: karnak}),
				Scanner: &n.gameagent,
			},
			lobbywire.Source{List: listOf(time.Second, "bomberman", "m3", lobbywire.Listed{View: duel},
				lobbywire.Listed{View: duel})},
			lobbywire.Source{Scanner: &n.sqp, Targets: slices.Values([]netip.AddrPort{atSQP})},
			lobbywire.Source{},
			lobbywire.Source{Targets: slices.Values([]netip.AddrPort{atSQP})},
		) {
			if len(rows) == 0 && time.Since(start) > time.Second {
				t.Errorf("the first row came after %v", time.Since(start))
			}
			rows = append(rows, r)
		}
		servers, ends := last(rows)
		want := []string{
			"Duel of the list@192.0.2.1:7777 contested bomberman<m3",
			"Duel/Rush 3@192.0.2.1:7777 contested sqp?192.0.2.1:7778",
			"Gone@192.0.2.4:7000 gameagent<m1?192.0.2.4:7001: no answer in time",
			"Karnak@192.0.2.3:25600 gameagent<m1?192.0.2.3:25601 gameagent?192.0.2.3:25601 gameagent<m2?192.0.2.3:25601",
		}
		if diff := cmp.Diff(want, servers); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		slices.Sort(ends)
		want = []string{
			"@ : lobbywire: the Lister is nil",
			"@ : the Scanner is nil",
			"@ bomberman<hanging: context deadline exceeded",
			"@ bomberman<m3", "@ gameagent<m1", "@ gameagent<m2",
		}
		if diff := cmp.Diff(want, ends); diff != "" {
			t.Errorf("ends of lists (-want +got):\n%s", diff)
		}
	})
}

// A caller that leaves the loop waits neither for masters nor for servers.
func TestBrowseEndsWithItsLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		start := time.Now()
		for r := range browsed(t.Context(), lobbywire.Source{List: hanging},
			lobbywire.Source{Scanner: &n.sqp, Targets: slices.Values([]netip.AddrPort{nowhere, atSQP})},
		) {
			if r.Err != nil {
				t.Error(r.Err)
			}
			break
		}
		if d := time.Since(start); d >= time.Second {
			t.Errorf("ended after %v", d)
		}
	})
}

// A server that answers in two forms of one protocol is one Row, whose sightings name the
// forms.
func TestTwoFormsOfAProtocolAreOneRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		targets := slices.Values([]netip.AddrPort{atGameAgent})
		rows := map[int]event{}
		for r := range browsed(t.Context(),
			lobbywire.Source{Scanner: &n.gameagent, Targets: targets},
			lobbywire.Source{Scanner: &n.gamespy1, Targets: targets},
		) {
			if r.Err != nil {
				t.Error(r.Err)
			}
			rows[r.Number] = r
		}
		slices.SortFunc(rows[1].Seen, func(a, b lobbywire.Sighting) int { return a.Source - b.Source })
		want := []lobbywire.Sighting{
			{Source: 0, Protocol: "gameagent", Query: atGameAgent},
			{Source: 1, Protocol: "gameagent", Form: "legacy", Query: atGameAgent},
		}
		for i := range rows[1].Seen {
			if v := rows[1].Seen[i].View; v.Name != "Karnak" {
				t.Errorf("sighting %d has %+v", i, v)
			}
			rows[1].Seen[i].View = lobbywire.View{}
		}
		diff := cmp.Diff(want, rows[1].Seen, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b }))
		if diff != "" || len(rows) != 1 {
			t.Errorf("%d servers, the first seen as (-want +got):\n%s", len(rows), diff)
		}
	})
}

// A hostile list of tens of thousands of servers at one address, and of services that amplify, makes
// Browse send few datagrams there and none to others. The honest servers on it are found.
func TestBrowseSparesThirdParties(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		victim := netip.MustParseAddr("203.0.113.66")
		var toVictim, toOthers atomic.Int64
		n.Network.Route = func(p nettest.Packet) []nettest.Packet {
			switch {
			case p.To.Addr() == victim:
				toVictim.Add(1)
			case p.To != atGameSpy && p.From != atGameSpy:
				toOthers.Add(1)
			}
			return []nettest.Packet{p}
		}
		var servers []lobbywire.Listed
		ports := suite.Pick(33_000, 60_000) // both contain 8 ports of services
		for i := range ports {
			servers = append(servers, lobbywire.Listed{Query: netip.AddrPortFrom(victim, uint16(5535+i))})
		}
		for _, s := range []string{
			"127.255.255.255:29900", "224.0.0.1:29900", "255.255.255.255:29900", "10.0.0.1:29900", "169.254.169.254:29900",
			"192.0.2.9:7", "192.0.2.9:19", "192.0.2.9:53", "192.0.2.9:123", "192.0.2.9:1900", "192.0.2.9:0",
		} {
			servers = append(servers, lobbywire.Listed{Query: at(s)})
		}
		servers = append(servers, lobbywire.Listed{Query: atGameSpy})
		var left lobbywire.LeftOut
		silent, notQueried, answered := 0, 0, 0
		for r := range browsed(t.Context(),
			lobbywire.Source{List: listOf(0, "gamespy2", "m", servers...), Scanner: &n.gamespy2}) {
			_, isLeftOut := errors.AsType[lobbywire.LeftOutError](r.Err)
			switch {
			case r.Number == 0:
				left = r.End.LeftOut
			case isLeftOut:
				notQueried++
			case r.Err != nil:
				silent++
			default:
				answered++
			}
		}
		want := lobbywire.LeftOut{Address: 4, Private: 2, Service: 5 + 8, Crowd: ports - 8 - 64}
		if diff := cmp.Diff(want, left); diff != "" || notQueried != want.Total() || silent != 64 || answered != 1 {
			t.Errorf("%d silent, %d not queried, %d answered; left out (-want +got):\n%s", silent, notQueried, answered, diff)
		}
		if toVictim.Load() > 64*8 || toOthers.Load() > 0 {
			t.Errorf("%d datagrams to the victim, %d to others", toVictim.Load(), toOthers.Load())
		}
	})
}

// A list that names more servers than have rows is cut, and is not whole.
func TestBrowseCutsEndlessLists(t *testing.T) {
	const most = 1 << 16
	count, partial := 0, false
	all := make([]lobbywire.Listed, most+1) // without an address, each is a server
	for row := range browsed(t.Context(), lobbywire.Source{List: listOf(0, "warzone", "lobby", all...)}) {
		if row.Number > 0 {
			count++
		} else {
			partial = row.End.Partial
		}
	}
	if count != most || !partial {
		t.Errorf("%d servers, want %d; partial: %v", count, most, partial)
	}
}
