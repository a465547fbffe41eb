package gamespy2net_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var masterAddr = netip.MustParseAddrPort("192.0.2.100:28910")

// A scriptedMaster hands each connection to a function, after the request.
type scriptedMaster struct {
	network  nettest.Streams
	requests []sb2.ListRequest
}

// A scriptedConn is a connection of a client.
type scriptedConn struct {
	net.Conn
	t       *testing.T
	request sb2.ListRequest
	cipher  sb2.Cipher
}

// serve serves until the test ends.
func (m *scriptedMaster) serve(t *testing.T, handle func(c *scriptedConn)) {
	l, err := m.network.Listen(masterAddr)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer conn.Close()
				c := &scriptedConn{Conn: conn, t: t}
				r, ok := c.read().(sb2.ListRequest)
				if !ok {
					return
				}
				m.requests = append(m.requests, r)
				c.request = r
				handle(c)
			})
		}
	})
}

// read reads a message, nil at the end of the connection.
func (c *scriptedConn) read() sb2.Request {
	var b []byte
	for {
		frame, _, err := sb2.NextFrame(b, sb2.MaxRequest)
		if err == nil {
			m, err := sb2.ParseRequest(frame)
			if err != nil {
				c.t.Error(err)
			}
			return m
		}
		one := make([]byte, 1)
		if _, err := io.ReadFull(c, one); err != nil {
			return nil
		}
		b = append(b, one...)
	}
}

// list sends a head and a list.
func (c *scriptedConn) list(l sb2.List) {
	head := sb2.Head{Options: sb2.GameChallenge, Challenge: []byte("challenge of the master")}
	var err error
	c.cipher, err = sb2.NewCipher("secret", c.request.Challenge, head.Challenge)
	if err != nil {
		c.t.Error(err)
	}
	b, err := head.AppendBinary(nil)
	if err != nil {
		c.t.Error(err)
	}
	c.Write(b)
	b, err = l.AppendBinary(nil)
	c.send(b, err)
}

// push sends a pushed message.
func (c *scriptedConn) push(m sb2.Push) {
	b, err := m.AppendBinary(nil)
	c.send(b, err)
}

func (c *scriptedConn) send(b []byte, err error) {
	if err != nil {
		c.t.Error(err)
	}
	c.cipher.Encrypt(b, b)
	c.Write(b)
}

// hold keeps the connection open until the client closes it.
func (c *scriptedConn) hold() { io.Copy(io.Discard, c) }

// listOf returns a list of n servers. Every third has no FlagUnsolicitedUDP.
func listOf(n int) sb2.List {
	l := sb2.List{
		ClientIP: netip.MustParseAddr("127.0.0.1"), DefaultPort: 6500,
		Keys: []sb2.Key{{Name: "hostname"}},
	}
	for i := range n {
		s := sb2.Server{
			Flags:  sb2.FlagFields | sb2.FlagUnsolicitedUDP,
			IP:     netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}),
			Fields: []sb2.KeyValue{{Key: "hostname", Value: fmt.Sprint("Server ", i)}},
		}
		if i%3 == 2 {
			s.Flags &^= sb2.FlagUnsolicitedUDP
		}
		l.Servers = append(l.Servers, s)
	}
	return l
}

var testQuery = gamespy2net.ListQuery{
	Game: "gmtest", Key: "secret", Filter: "numplayers > 0", Fields: sb2.MakeFieldList("hostname"),
	Options: sb2.OptionAllFields | sb2.OptionPush | sb2.OptionSourceIP, Max: 500,
}

func TestListGetsAllServersOfTheMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m scriptedMaster
		list := listOf(5)
		m.serve(t, func(c *scriptedConn) {
			time.Sleep(100 * time.Millisecond)
			c.list(list)
			c.hold()
		})
		client := gamespy2net.Client{Dial: m.network.Dial}
		got, err := client.List(t.Context(), masterAddr.String(), testQuery)
		if err != nil {
			t.Fatal(err)
		}
		want := gamespy2net.Listing{
			Servers: list.Servers, MasterIP: masterAddr.Addr(), ClientIP: list.ClientIP, DefaultPort: 6500,
			Options: sb2.GameChallenge, RTT: 100 * time.Millisecond,
		}
		if diff := cmp.Diff(want, got, compareAddrs); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		r := m.requests[0]
		if slices.ContainsFunc(r.Challenge[:], func(b byte) bool { return b < 33 || b > 126 }) {
			t.Errorf("challenge %q", r.Challenge)
		}
		r.Challenge = sb2.Challenge{}
		asked := sb2.ListRequest{
			ForGame: "gmtest", FromGame: "gmtest", Filter: "numplayers > 0", Fields: `\hostname`,
			Options: sb2.OptionAllFields | sb2.OptionLimit, MaxServers: 500,
		}
		if diff := cmp.Diff(asked, r, compareAddrs); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		if views := got.Views(); len(views) != 5 || views[1].Name != "Server 1" || views[1].Host != "198.51.100.1" {
			t.Errorf("views %+v", views)
		}
	})
}

// ListViews requests what views have, unless its query has fields.
func TestListViewsRequestsWhatViewsHave(t *testing.T) {
	all := sb2.FieldList(`\hostname\hostport\gametype\mapname\gamever\numplayers\maxplayers\password`)
	for _, tt := range []struct {
		query   gamespy2net.ListQuery
		fields  sb2.FieldList
		options sb2.RequestOptions
	}{
		{gamespy2net.ListQuery{}, all, sb2.OptionAllFields},
		{gamespy2net.ListQuery{Options: sb2.OptionNoCache}, all, sb2.OptionAllFields | sb2.OptionNoCache},
		{gamespy2net.ListQuery{Fields: `\hostname`}, `\hostname`, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var m scriptedMaster
			m.serve(t, func(c *scriptedConn) {
				c.list(listOf(1))
				c.hold()
			})
			tt.query.Game, tt.query.Key = "gmtest", "secret"
			client := gamespy2net.Client{Dial: m.network.Dial, ViewQuery: tt.query}
			if r := client.ListViews(t.Context(), masterAddr.String()); r.Err != nil || len(r.Servers) != 1 {
				t.Fatalf("%+v", r)
			}
			if r := m.requests[0]; sb2.FieldList(r.Fields) != tt.fields || r.Options != tt.options {
				t.Errorf("requests %q, %v", r.Fields, r.Options)
			}
		})
	}
}

var compareAddrs = cmp.Options{
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b }),
}

// A list with as many servers as the query allows may lack some.
func TestListOfAsManyAsAllowedIsPartial(t *testing.T) {
	const servers = 5
	for most, want := range map[uint32]bool{servers: true, servers + 1: false, 0: false} {
		synctest.Test(t, func(t *testing.T) {
			var m scriptedMaster
			m.serve(t, func(c *scriptedConn) { c.list(listOf(servers)) })
			client := gamespy2net.Client{Dial: m.network.Dial}
			q := testQuery
			q.Max = most
			l, err := client.List(t.Context(), masterAddr.String(), q)
			if err != nil || l.Partial != want {
				t.Errorf("at most %d: partial %v, %v", most, l.Partial, err)
			}
		})
	}
}

// Targets are the servers that clients can query, those in the network of the client by
// their private addresses, which only a master in such a network may list.
func TestListingTargetsAreWithinReach(t *testing.T) {
	client := netip.MustParseAddr("198.51.100.7")
	other := netip.MustParseAddr("198.51.100.8")
	private := netip.MustParseAddr("10.0.0.9")
	const query = sb2.FlagUnsolicitedUDP
	l := gamespy2net.Listing{MasterIP: private, ClientIP: client, DefaultPort: 6500, Servers: []sb2.Server{
		{Flags: query, IP: other},
		{Flags: query | sb2.FlagPort, IP: other, Port: 6501},
		{IP: other},
		{Flags: query | sb2.FlagPrivateIP | sb2.FlagPrivatePort, IP: other, PrivateIP: private, PrivatePort: 8},
		{Flags: query | sb2.FlagPrivateIP, IP: client, PrivateIP: private},
		{Flags: query | sb2.FlagPrivateIP | sb2.FlagPrivatePort, IP: client, PrivateIP: private, PrivatePort: 6502},
		{Flags: query, IP: client},
	}}
	for _, tt := range []struct {
		master netip.Addr
		left   lobbywire.LeftOut
		want   []string
	}{
		{private, lobbywire.LeftOut{}, []string{
			"198.51.100.8:6500", "10.0.0.9:6500", "198.51.100.7:6500", "198.51.100.8:6501", "10.0.0.9:6502",
		}},
		{other, lobbywire.LeftOut{Private: 2}, []string{"198.51.100.8:6500", "198.51.100.7:6500", "198.51.100.8:6501"}},
	} {
		l.MasterIP = tt.master
		var got []string
		targets, left := l.Targets(t.Context())
		for addr := range targets {
			got = append(got, addr.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || left != tt.left {
			t.Errorf("left out %+v (-want +got):\n%s", left, diff)
		}
		for range targets {
			break
		}
	}
}

func TestListFailsOrIsPartial(t *testing.T) {
	whole := func(c *scriptedConn) { c.list(listOf(5)) }
	for _, tt := range []struct {
		name    string
		master  func(c *scriptedConn)
		query   gamespy2net.ListQuery
		err     error
		partial int // number of servers of a partial list
		took    time.Duration
	}{
		{"silence", (*scriptedConn).hold, testQuery, lobbywire.ErrTimeout, 0, time.Second},
		{"closed at once", func(*scriptedConn) {}, testQuery, io.ErrUnexpectedEOF, 0, 0},
		{"no key", whole, gamespy2net.ListQuery{Game: "gmtest"}, lobbywire.ErrInvalid, 0, 0},
		{"a list without its end", func(c *scriptedConn) {
			c.cut(listOf(5), 7)
		}, testQuery, nil, 4, 0},
		{"a list that stops", func(c *scriptedConn) {
			c.cut(listOf(5), 7)
			c.hold()
		}, testQuery, nil, 4, time.Second},
		{"trickling", func(c *scriptedConn) {
			c.trickle(listOf(5), 900*time.Millisecond)
		}, testQuery, lobbywire.ErrTruncated, 0, 10 * time.Second},
		{"a few bytes, and then silence", func(c *scriptedConn) {
			io.WriteString(c, "HTTP")
			c.hold()
		}, testQuery, os.ErrDeadlineExceeded, 0, time.Second},
		{"a game name with a zero byte", whole, gamespy2net.ListQuery{Game: "a\x00", Key: "secret"},
			lobbywire.ErrInvalid, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var m scriptedMaster
				m.serve(t, tt.master)
				client := gamespy2net.Client{Dial: m.network.Dial}
				start := time.Now()
				l, err := client.List(t.Context(), masterAddr.String(), tt.query)
				if !errors.Is(err, tt.err) || l.Partial != (tt.partial > 0) || len(l.Servers) != tt.partial {
					t.Errorf("%d servers, partial %v, %v; want %d, %v", len(l.Servers), l.Partial, err, tt.partial,
						tt.err)
				}
				if says := strings.Contains(fmt.Sprint(err), `know the game "gmtest"`); says != (tt.name == "closed at once") {
					t.Errorf("%v", err)
				}
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
			})
		})
	}
}

// cut sends a list without its last bytes.
func (c *scriptedConn) cut(l sb2.List, n int) {
	c.list(sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort, NoList: true})
	whole, err := l.AppendBinary(nil)
	if err != nil {
		c.t.Error(err)
	}
	c.send(whole[6:len(whole)-n], nil)
}

// trickle sends a byte of a list at a time.
func (c *scriptedConn) trickle(l sb2.List, pause time.Duration) {
	c.list(sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort, NoList: true})
	whole, err := l.AppendBinary(nil)
	if err != nil {
		c.t.Error(err)
	}
	for i := 6; i < len(whole); i++ {
		time.Sleep(pause)
		c.cipher.Encrypt(whole[i:i+1], whole[i:i+1])
		if _, err := c.Write(whole[i : i+1]); err != nil {
			return
		}
	}
}

func TestRefusedListHasTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m scriptedMaster
		m.serve(t, func(c *scriptedConn) {
			c.list(sb2.List{ClientIP: netip.MustParseAddr("127.0.0.1"), DefaultPort: sb2.ErrorPort,
				Error: "no such game\x1b"})
		})
		client := gamespy2net.Client{Dial: m.network.Dial}
		_, err := client.List(t.Context(), masterAddr.String(), testQuery)
		var refusal *gamespy2net.MasterError
		if !errors.As(err, &refusal) || refusal.Text != "no such game\x1b" ||
			err.Error() != `gamespy2net: the master refuses: "no such game\x1b"` {
			t.Errorf("%v", err)
		}
		for _, err := range client.Subscribe(t.Context(), masterAddr.String(), testQuery, true) {
			if !errors.As(err, &refusal) {
				t.Errorf("Subscribe: %v", err)
			}
		}
	})
}

// Calls for the same list share its outcome until ListEvery has passed.
func TestListIsCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m scriptedMaster
		m.serve(t, func(c *scriptedConn) { c.list(listOf(3)) })
		client := gamespy2net.Client{Dial: m.network.Dial, ListEvery: 10 * time.Second}
		for i := range 3 {
			l, err := client.List(t.Context(), masterAddr.String(), testQuery)
			if err != nil || len(l.Servers) != 3 || l.Servers[0].Port != 0 {
				t.Fatalf("%d: %d servers, %v", i, len(l.Servers), err)
			}
			l.Servers[0].Port = 1
		}
		other := testQuery
		other.Filter = ""
		if _, err := client.List(t.Context(), masterAddr.String(), other); err != nil {
			t.Error(err)
		}
		if _, err := client.List(t.Context(), masterAddr.String(), testQuery); err != nil {
			t.Error(err)
		}
		if len(m.requests) != 3 {
			t.Errorf("%d requests", len(m.requests))
		}
	})
}

// Subscribe yields servers, the end of the list and changes, and answers keepalives.
func TestSubscribeYieldsChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m scriptedMaster
		list := listOf(2)
		keepalive := sb2.Keepalive{Data: []byte("data")}
		answered := make(chan sb2.Request, 1)
		changed := sb2.Server{Flags: sb2.FlagFields | sb2.FlagPort, IP: list.Servers[0].IP, Port: 7,
			Fields: list.Servers[1].Fields}
		gone := netip.MustParseAddrPort("198.51.100.1:6500")
		m.serve(t, func(c *scriptedConn) {
			c.list(list)
			time.Sleep(time.Hour)
			c.push(keepalive)
			answered <- c.read()
			c.push(sb2.PushServer{Keys: list.Keys, Server: changed})
			c.push(sb2.MapLoop{Addr: gone})
			c.push(sb2.DeleteServer{Addr: gone})
			c.hold()
		})
		client := gamespy2net.Client{Dial: m.network.Dial}
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		ended := errors.New("ended")
		var got []gamespy2net.Change
		var last error
		for change, err := range client.Subscribe(ctx, masterAddr.String(), testQuery, true) {
			if err != nil {
				last = err
				continue
			}
			got = append(got, change)
			if change.Removed {
				cancel(ended)
			}
		}
		want := []gamespy2net.Change{
			{Addr: netip.MustParseAddrPort("198.51.100.0:6500"), Server: list.Servers[0]},
			{Addr: netip.MustParseAddrPort("198.51.100.1:6500"), Server: list.Servers[1]},
			{List: &gamespy2net.Listing{
				MasterIP: masterAddr.Addr(), ClientIP: list.ClientIP, DefaultPort: 6500, Options: sb2.GameChallenge,
			}},
			{Addr: netip.MustParseAddrPort("198.51.100.0:7"), Server: changed},
			{Addr: gone, Removed: true},
		}
		if diff := cmp.Diff(want, got, compareAddrs); diff != "" || last != ended {
			t.Errorf("%v (-want +got):\n%s", last, diff)
		}
		if diff := cmp.Diff(sb2.Request(keepalive), <-answered); diff != "" {
			t.Errorf("keepalive (-want +got):\n%s", diff)
		}
		if o := m.requests[0].Options; o&sb2.OptionPush == 0 {
			t.Errorf("options %v", o)
		}
	})
}

// A caller that stops closes the connection.
func TestSubscribeEndsWithItsLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for stop := range 4 {
			var m scriptedMaster
			closed := make(chan struct{})
			m.serve(t, func(c *scriptedConn) {
				c.list(listOf(2))
				c.push(sb2.DeleteServer{Addr: netip.MustParseAddrPort("198.51.100.1:6500")})
				c.hold()
				close(closed)
			})
			client := gamespy2net.Client{Dial: m.network.Dial}
			changes := 0
			for _, err := range client.Subscribe(t.Context(), masterAddr.String(), testQuery, true) {
				if err != nil {
					t.Error(err)
				}
				if changes == stop {
					break
				}
				changes++
			}
			<-closed
		}
		var m scriptedMaster
		m.serve(t, func(c *scriptedConn) { c.list(listOf(2)) })
		client := gamespy2net.Client{Dial: m.network.Dial}
		changes := 0
		for _, err := range client.Subscribe(t.Context(), masterAddr.String(), testQuery, false) {
			if err != nil {
				t.Error(err)
			}
			changes++
		}
		if changes != 3 {
			t.Errorf("%d changes without pushes", changes)
		}
	})
}

// A list that another key has encrypted is an error that says so.
func TestListWithAWrongKeyFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Games = append(m.Games, gamespy2net.Game{Name: "other", Key: "another"})
		enlistTowns(t, m)
		network := serveLists(t, m)
		for range 50 {
			c := gamespy2net.Client{Dial: network.Dial, ListEvery: -1}
			_, err := c.List(t.Context(), masterAddr.String(), gamespy2net.ListQuery{
				Game: "gmtest", Key: "wrong", Fields: sb2.MakeFieldList("hostname"),
			})
			if err == nil || !strings.Contains(err.Error(), "wrong key?") {
				t.Errorf("error %v", err)
			}
		}
	})
}
