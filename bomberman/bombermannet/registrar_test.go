package bombermannet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/nettest"
)

// runRegistrar runs r until the test ends.
func runRegistrar(t *testing.T, r *bombermannet.Registrar) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context()) }()
	t.Cleanup(func() {
		r.Close()
		if err := <-ended; err != lobbywire.ErrClosed && err != context.Canceled {
			t.Errorf("Run: %v", err)
		}
	})
}

func set(t *testing.T, r *bombermannet.Registrar, s bomberman.Server) {
	t.Helper()
	if err := r.Set(s); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func TestRegistrarTellsWhatIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial}
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Set") {
			t.Errorf("before Set: %v", err)
		}
		if err := new(bombermannet.Registrar).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Addr") {
			t.Errorf("without Addr: %v", err)
		}
		client := connect(t, network)
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		synctest.Wait()
		client.expectList(listed("A", 1, 0, 4, true, 1))

		// Only the latest state is sent, once a second.
		for i := range 100 {
			set(t, r, listed("A", 1, i, 4, true, 1))
		}
		client.expectList(listed("A", 1, 0, 4, true, 1))
		time.Sleep(time.Second)
		synctest.Wait()
		client.expectList(listed("A", 1, 99, 4, true, 1))
		if got := r.Stats(); got.Sent != 2 || !got.Connected {
			t.Errorf("while registered: got %+v", got)
		}

		// An unchanged or invalid state is not sent.
		time.Sleep(time.Minute)
		set(t, r, listed("A", 1, 99, 4, true, 1))
		if err := r.Set(listed("", 1, 1, 4, true, 1)); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("without a name: %v", err)
		}
		if err := r.Set(listed("A", 1, 1, 5, true, 1)); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("of 5 players: %v", err)
		}
		synctest.Wait()
		if got := r.Stats().Sent; got != 2 {
			t.Errorf("%d sent", got)
		}
		set(t, r, listed("B", 2, 3, 2, false, 2))
		client.expectList(listed("B", 2, 3, 2, false, 2))

		r.Close()
		synctest.Wait()
		client.expectList()
		if got := r.Stats(); got.Connected || got.Connects != 1 || m.Stats().Discarded != 0 {
			t.Errorf("when closed: got %+v, %+v", got, m.Stats())
		}
		if err := r.Run(t.Context()); err != lobbywire.ErrClosed {
			t.Errorf("Run after Close: %v", err)
		}
	})
}

// A Registrar tries to reach a lost management server at growing intervals, and
// registers again when it is back.
func TestRegistrarOutlivesTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Streams)
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := r.Stats(); got.Failures < 10 || got.Failures > 25 || got.Connects != 0 {
			t.Errorf("got %+v after ten minutes without a server", got)
		}
		for range 3 {
			var m bombermannet.ManagementServer
			l, err := network.Listen(managementAddr)
			if err != nil {
				t.Fatal(err)
			}
			go m.Serve(l)
			time.Sleep(90 * time.Second)
			synctest.Wait()
			connect(t, network).expectList(listed("A", 1, 0, 4, true, 1))
			time.Sleep(time.Hour)

			failures := r.Stats().Failures
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			time.Sleep(4 * time.Second)
			synctest.Wait()
			if got := r.Stats().Failures - failures; got < 2 || got > 5 {
				t.Errorf("%d attempts within 4 s of an end", got)
			}
		}
	})
}

// A server that closes each connection at once is contacted at growing intervals.
func TestRegistrarIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &bombermannet.ManagementServer{}
		m.Limits.MaxPerAddress = 1
		network := start(t, m)
		other := connectFrom(t, network, "127.0.0.1")
		other.send(register("A", 1))
		other.list()
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := r.Stats(); got.Connects < 10 || got.Connects > 25 || got.Connected {
			t.Errorf("got %+v after ten minutes of refusal", got)
		}
	})
}

// A server may send anything, and need not read.
func TestRegistrarAndAStrangeServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Streams)
		l, err := network.Listen(managementAddr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial, Every: time.Nanosecond}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		server := newLine(t, c)
		for _, b := range goldens(t) {
			server.raw(string(b))
		}
		for range 100 {
			server.raw(strings.Repeat("4294967296{", 1000))
		}
		time.Sleep(24 * time.Hour)
		if got := r.Stats(); !got.Connected || got.Failures != 0 {
			t.Errorf("got %+v", got)
		}

		begin := time.Now()
		for i := range 1000 {
			if err := r.Set(listed("A", 1, i, 4, true, 1)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := r.Stats(); got.Failures == 0 {
			t.Errorf("got %+v after %v without reading", got, time.Since(begin))
		}
	})
}

// A game server that listens at one address registers from there.
func TestRegistrarCallsFromItsListener(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer ln.Close()
	for listener, want := range map[string]string{"127.0.31.3:7000": "127.0.31.3", "0.0.0.0:7000": "127.0.0.1"} {
		r := &bombermannet.Registrar{Addr: ln.Addr().String()}
		r.ListensAt(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listener)))
		if err := r.Set(listed("A", 1, 0, 4, true, 1)); err != nil {
			t.Fatal(err)
		}
		runRegistrar(t, r)
		c, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if from := c.RemoteAddr().(*net.TCPAddr).IP.String(); from != want {
			t.Errorf("registered from %s, want %s", from, want)
		}
		c.Close()
		r.Close()
	}
}

func TestRegistrarEndsAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		dial func(ctx context.Context, network, addr string) (net.Conn, error)
	}{
		{"while it connects", func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}},
		{"while it waits", func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("unreachable")
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: tt.dial}
			set(t, r, listed("A", 1, 0, 4, true, 1))
			why := errors.New("why")
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- r.Run(ctx) }()
			synctest.Wait()
			if err := r.Run(ctx); err == nil || ctx.Err() != nil {
				t.Errorf("%s: a second Run: %v", tt.name, err)
			}
			begin := time.Now()
			cancel(why)
			if err := <-ended; err != why || time.Since(begin) > 0 {
				t.Errorf("%s: got %v after %v", tt.name, err, time.Since(begin))
			}
		})
	}
}

// A management server whose name is not found for a while gets the game then. The failure and
// its end are logged once. Each connection looks up the name.
func TestRegistrarLogsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		found := time.Now().Add(10 * time.Minute)
		var log bytes.Buffer
		r := &bombermannet.Registrar{
			Addr:   "management.example:9500",
			Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Dial: func(ctx context.Context, dialed, addr string) (net.Conn, error) {
				if addr != "management.example:9500" {
					t.Errorf("dialed %s", addr)
				}
				if time.Now().Before(found) {
					return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Name: "management.example", Err: "no such host",
						IsNotFound: true}}
				}
				return network.Dial(ctx, dialed, managementAddr.String())
			},
		}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		time.Sleep(13 * time.Minute)
		connect(t, network).expectList(listed("A", 1, 0, 4, true, 1))
		r.Close()
		if got := log.String(); strings.Count(got, "\n") != 2 || strings.Count(got, "level=WARN") != 1 ||
			strings.Count(got, "is reached") != 1 {
			t.Errorf("log %s", got)
		}
	})
}
