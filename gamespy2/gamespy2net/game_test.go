package gamespy2net

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// putServer lists a server as one of another node, with a value of hostname.
func putServer(t *testing.T, m *Master, port uint16, name string) netip.AddrPort {
	t.Helper()
	addr := netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port)
	identity := qr2.Identity{LocalAddrs: []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.7")},
		LocalPort: port, NATNegotiation: true, GameName: "gmtest"}
	h := qr2.Heartbeat{Info: identity.AppendTo(nil)}
	h.Info = append(h.Info, gamespy2.KeyValue{Key: "hostname", Value: name})
	b, err := h.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.catalogue.put(Entry{Addr: addr, Heartbeat: string(b), Seen: time.Now()})
	return addr
}

// Changes in a list are kept in order, and continue a snapshot without a gap.
func TestChangesContinueASnapshot(t *testing.T) {
	m := &Master{Games: []Game{{Name: "gmtest"}}}
	m.start()
	if m.catalogue.game("other") != nil {
		t.Error("found a game that there is not")
	}
	g := m.catalogue.game("gmtest")
	a, b := putServer(t, m, 1, "a"), putServer(t, m, 2, "b")
	all, position := m.catalogue.snapshot(g, 0)
	if len(all) != 2 || all[0].Addr != a || all[1].Addr != b || !all[0].NATNegotiation {
		t.Fatalf("%+v", all)
	}
	if want := netip.MustParseAddrPort("10.0.0.7:1"); all[0].Private != want {
		t.Errorf("private address %v, want %v", all[0].Private, want)
	}
	if name, ok := all[0].Lookup("hostname"); name != "a" || !ok {
		t.Errorf("hostname %q, %v", name, ok)
	}
	if _, ok := all[0].Lookup("localport"); ok || len(all[0].Rules().Rules) != 2 {
		t.Errorf("keys %v", all[0].Info)
	}

	_, _, woken, _ := m.catalogue.changesSince(g, position, nil)
	putServer(t, m, 1, "a") // says nothing new
	select {
	case <-woken:
		t.Error("woken without a change")
	default:
	}
	putServer(t, m, 1, "A")
	m.catalogue.servers.Forget(b)
	putServer(t, m, 3, "c")
	<-woken
	changes, next, _, ok := m.catalogue.changesSince(g, position, nil)
	var got []string
	for _, c := range changes {
		name := "removed"
		if c.Server != nil {
			name, _ = c.Server.Lookup("hostname")
		}
		got = append(got, fmt.Sprintf("%d %s", c.Addr.Port(), name))
	}
	if want := []string{"1 A", "2 removed", "3 c"}; !ok || !slices.Equal(got, want) {
		t.Errorf("changes %q, %v, want %q", got, ok, want)
	}
	if rest, same, _, ok := m.catalogue.changesSince(g, next, nil); len(rest) > 0 || same != next || !ok {
		t.Errorf("%d changes more", len(rest))
	}
	if all, same := m.catalogue.snapshot(g, next); all != nil || same != next {
		t.Errorf("a snapshot of %d servers without a change", len(all))
	}
	if name, _ := all[0].Lookup("hostname"); name != "a" {
		t.Errorf("a listing has changed: %q", name)
	}

	// A position whose changes are no longer kept is refused.
	for i := range gamelist.MaxChanges {
		putServer(t, m, 1, fmt.Sprint(i))
	}
	if changes, _, _, ok := m.catalogue.changesSince(g, next, nil); !ok || len(changes) != gamelist.MaxChanges {
		t.Errorf("%d changes, %v", len(changes), ok)
	}
	putServer(t, m, 1, "last")
	if _, _, _, ok := m.catalogue.changesSince(g, next, nil); ok {
		t.Error("changes are missing, which is not noticed")
	}
	if all, _ := m.catalogue.snapshot(g, 0); len(all) != 2 {
		t.Errorf("%d servers", len(all))
	}
}
