package gamespy2net_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// One of two masters whose name is not found does not keep the server from the other.
func TestRegistrationAtOneOfTwoMasters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newMaster()
		var wait sync.WaitGroup
		conn, masterConn := listenOn(t, network, serverAt), listenOn(t, network, masterAt)
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		wait.Go(func() { m.Serve(masterConn) })
		wait.Go(func() { s.Serve(conn) })
		for _, host := range []string{"nowhere.example", "master.example"} {
			r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: host + ":27900", Game: "gmtest", Key: "HA6zkS"}
			r.SetLookup(func(ctx context.Context, _, host string) ([]netip.Addr, error) {
				if host == "nowhere.example" {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return []netip.Addr{masterAt.Addr()}, nil
			})
			wait.Go(func() { r.Run(t.Context()) })
		}
		time.Sleep(5 * time.Second)
		wantListed(t, m, serverAt)
		if err := errors.Join(s.Shutdown(t.Context()), m.Close()); err != nil {
			t.Error(err)
		}
		wait.Wait()
	})
}

// The log says at once that the master refuses the server, and once.
func TestRegistrationLogsARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newMaster()
		var wait sync.WaitGroup
		conn, masterConn := listenOn(t, network, serverAt), listenOn(t, network, masterAt)
		var log bytes.Buffer
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		s.Logger = slog.New(slog.NewTextHandler(&log, nil))
		r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: masterAt.String(), Game: "gmtest", Key: "WRONG1"}
		wait.Go(func() { m.Serve(masterConn) })
		wait.Go(func() { s.Serve(conn) })
		wait.Go(func() { r.Run(t.Context()) })
		time.Sleep(50 * time.Millisecond)
		synctest.Wait()
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "refused by the master") {
			t.Errorf("log %s", &log)
		}
		time.Sleep(time.Hour)
		if err := errors.Join(s.Close(), m.Close()); err != nil {
			t.Error(err)
		}
		wait.Wait()
		if strings.Count(log.String(), "\n") != 1 {
			t.Errorf("log %s", &log)
		}
	})
}
