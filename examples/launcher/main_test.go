package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/dnstest"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// The page gets the servers that answer, the errors of the others, and empty lists.
func TestPageGetsServersAndErrors(t *testing.T) {
	var server sqpnet.Server
	server.SetView(lobbywire.View{Name: "Duel", Max: new(8), Port: 7777})
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(socket)
	defer server.Close()
	var master bombermannet.ManagementServer
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go master.Serve(listener)
	defer master.Close()

	closed, lobby := nettest.ClosedUDP(t), nettest.ClosedTCP(t)
	l := launcher{
		{Scanner: inTurn{new(sqpnet.Client)}, Targets: addresses(socket.LocalAddr().String())},
		{Scanner: inTurn{&sqpnet.Client{Attempts: 1, Timeout: 10 * time.Millisecond}}, Targets: addresses(closed)},
		{List: lobbywire.List{Lister: new(bombermannet.Client), Addr: listener.Addr().String()}},
		{List: lobbywire.List{Lister: new(warzonenet.Client), Addr: lobby}},
	}
	page := httptest.NewServer(l)
	defer page.Close()
	got, err := http.Get(page.URL + "/servers")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	rows := map[string]row{}
	for lines := bufio.NewScanner(got.Body); len(rows) < 4 && lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows[r.Query] = r
	}
	answered := rows[socket.LocalAddr().String()]
	if answered.View.Name != "Duel" || answered.Join != "127.0.0.1:7777" || answered.RTT <= 0 {
		t.Errorf("the server that answers: %+v", answered)
	}
	if !rows[listener.Addr().String()].Gone {
		t.Errorf("the page shows a list: %+v", rows)
	}
	if r := rows[closed]; r.Err == "" || rows[lobby].Err == "" || len(rows) != 4 {
		t.Errorf("the others: %+v", rows)
	}
}

// A server behind a name is one row, whichever of its addresses answers.
func TestServerWithSeveralAddressesIsOneRow(t *testing.T) {
	const up, other, down, silent = "192.0.2.1:7", "[2001:db8::1]:7", "192.0.2.2:7", "[2001:db8::2]:7"
	for _, tt := range []struct {
		addresses []string
		want      string
		answers   bool
	}{
		{[]string{up}, up, true},
		{[]string{up, other}, up, true},
		{[]string{other, up}, other, true},
		{[]string{down, up}, up, true},
		{[]string{down, silent, other}, other, true},
		{[]string{silent, down}, silent, false},
		{nil, "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var n nettest.Network
			var server sqpnet.Server
			server.SetView(lobbywire.View{Name: "Duel", Max: new(8), Port: 7777})
			for _, at := range []string{up, other} {
				n.Serve(t, netip.MustParseAddrPort(at), nettest.By(&server))
			}
			var targets []netip.AddrPort
			for _, at := range tt.addresses {
				targets = append(targets, netip.MustParseAddrPort(at))
			}
			var got []lobbywire.ScanResult
			scanner := inTurn{&sqpnet.Client{Listen: n.ListenAny}}
			for r := range scanner.ScanViews(t.Context(), slices.Values(targets)) {
				got = append(got, r)
			}
			if tt.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || got[0].Query.String() != tt.want || (got[0].Err == nil) != tt.answers {
				t.Errorf("%q: %+v", tt.addresses, got)
			}
		})
	}
}

func TestAddressesAreInOrder(t *testing.T) {
	dnstest.Resolve(t, func(name string) []netip.Addr {
		if name != "duel.example." && name != "xn--mller-kva.example." {
			return nil
		}
		return []netip.Addr{
			netip.MustParseAddr("2001:db8::1"),
			netip.MustParseAddr("192.0.2.2"),
			netip.MustParseAddr("192.0.2.1"),
		}
	})
	for name, want := range map[string]string{
		"duel.example.:7":  "[192.0.2.1:7 192.0.2.2:7 [2001:db8::1]:7]",
		"192.0.2.9:7":      "[192.0.2.9:7]",
		"[::1%lo]:7":       "[[::1%lo]:7]",
		"Müller.example:7": "[192.0.2.1:7 192.0.2.2:7 [2001:db8::1]:7]",
		"[2001:db8::9]:7":  "[[2001:db8::9]:7]",
		"gone.example.:7":  "[]",
		"duel.example.":    "[]",
		"duel.example.:7x": "[]",
	} {
		if got := fmt.Sprint(slices.Collect(addresses(name))); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A lobby and a management server that hang do not delay a server that answers.
func TestHangingListsDelayNoServer(t *testing.T) {
	var server sqpnet.Server
	server.SetView(lobbywire.View{Name: "Duel", Max: new(8), Port: 7777})
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(socket)
	defer server.Close()
	hanging, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts, and nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer hanging.Close()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	browser := lobbywire.Browser{Sources: []lobbywire.Source{
		{Scanner: new(sqpnet.Client), Targets: addresses(socket.LocalAddr().String())},
		{List: lobbywire.List{Lister: &bombermannet.Client{Timeout: time.Hour}, Addr: hanging.Addr().String()}},
		{List: lobbywire.List{Lister: &warzonenet.Client{Timeout: time.Hour}, Addr: hanging.Addr().String()}},
	}}
	for found := range browser.Watch(ctx) {
		if r := rowOf(found); r.View.Name != "Duel" {
			t.Errorf("%+v", r)
		}
		break
	}
}

func TestPageIsServed(t *testing.T) {
	for path, want := range map[string]int{"/": http.StatusOK, "/other": http.StatusNotFound} {
		w := httptest.NewRecorder()
		new(launcher).ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+path, nil))
		if w.Code != want || path == "/" && !strings.Contains(w.Body.String(), "<table>") {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

// Pages of other sites get nothing, whether they use the address of this machine or a
// name of their own.
func TestOtherSitesGetNothing(t *testing.T) {
	for _, tt := range []struct {
		host, site string
		status     int
	}{
		{"127.0.0.1:8090", "", http.StatusOK},
		{"127.0.0.1:8090", "same-origin", http.StatusOK},
		{"127.0.0.1:8090", "none", http.StatusOK},
		{"localhost:8090", "same-origin", http.StatusOK},
		{"[::1]:8090", "same-origin", http.StatusOK},
		{"[::1]", "same-origin", http.StatusOK},
		{"127.0.0.1:8090", "cross-site", http.StatusForbidden},
		{"localhost:8090", "same-site", http.StatusForbidden},
		{"rebound.example:8090", "same-origin", http.StatusForbidden},
		{"127.0.0.1.rebound.example", "", http.StatusForbidden},
		{"", "", http.StatusForbidden},
	} {
		left, leave := context.WithCancel(t.Context())
		leave()
		r := httptest.NewRequestWithContext(left, http.MethodGet, "/servers", nil)
		r.Host = tt.host
		if tt.site != "" {
			r.Header.Set("Sec-Fetch-Site", tt.site)
		}
		w := httptest.NewRecorder()
		new(launcher).ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("%s from %q: status %d, want %d", tt.host, tt.site, w.Code, tt.status)
		}
	}
}

// The page shows which servers of a list are not queried.
func TestPageShowsWhatIsNotQueried(t *testing.T) {
	master, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, from, err := master.ReadFrom(make([]byte, 100))
		if err == nil {
			master.WriteTo([]byte("s\x7f\x00\x00\x01\x12\x00"), from) // 127.0.0.1, with query port 19
		}
	}()
	defer func() {
		master.Close()
		<-answered
	}()
	client, addr := new(gameagentnet.Client), master.LocalAddr().String()
	var got []row
	browser := lobbywire.Browser{
		Sources: []lobbywire.Source{{List: lobbywire.List{Lister: client, Addr: addr}, Scanner: client}},
		Ended:   func(end lobbywire.SourceEnd) { got = append(got, endOf(end)) },
	}
	for found := range browser.Browse(t.Context()) {
		got = append(got, rowOf(found))
	}
	const why = "not queried: port of another service"
	if len(got) != 2 || got[0].Err != why || got[1].Err != why || got[1].ID != 0 || got[1].Query != addr {
		t.Errorf("%+v", got)
	}
}

// The row of a list states what the list lacks. A whole list has no row.
func TestRowsStateWhatListsLack(t *testing.T) {
	left := lobbywire.LeftOut{Unreadable: 2}
	for _, tt := range []struct {
		end  lobbywire.SourceEnd
		want string
	}{
		{lobbywire.SourceEnd{}, ""},
		{lobbywire.SourceEnd{Partial: true}, "the list is not whole: servers may be missing"},
		{lobbywire.SourceEnd{LeftOut: left}, left.String()},
		{lobbywire.SourceEnd{Partial: true, LeftOut: left},
			"the list is not whole: servers may be missing; " + left.String()},
		{lobbywire.SourceEnd{Partial: true, Err: lobbywire.ErrTimeout}, lobbywire.ErrTimeout.Error()},
	} {
		tt.end.Master = "192.0.2.1:28900"
		got := endOf(tt.end)
		if got.Err != tt.want || got.Query != "192.0.2.1:28900" || got.Gone != (tt.want == "") {
			t.Errorf("%+v: %+v", tt.end, got)
		}
	}
}
