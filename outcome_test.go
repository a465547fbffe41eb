package lobbywire_test

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// silence returns the address of a socket and a listener that never answer.
func silence(t *testing.T) (udp, tcp string) {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		pc.Close()
		l.Close()
	})
	return pc.LocalAddr().String(), l.Addr().String()
}

// Every client reports the same error for a peer that does not answer.
func TestClientsTimeOut(t *testing.T) {
	const wait = 20 * time.Millisecond
	udp, tcp := silence(t)
	gameagent := &gameagentnet.Client{Timeout: wait, Attempts: 1}
	for name, ask := range map[string]func(ctx context.Context) error{
		"sqpnet.Query": func(ctx context.Context) error {
			_, err := (&sqpnet.Client{Timeout: wait, Attempts: 1}).Query(ctx, udp, sqp.AllChunks)
			return err
		},
		"gamespy2net.Query": func(ctx context.Context) error {
			_, err := (&gamespy2net.Client{Timeout: wait, Attempts: 1}).Query(ctx, udp)
			return err
		},
		"gameagentnet.Status": func(ctx context.Context) error {
			_, err := gameagent.Status(ctx, udp)
			return err
		},
		"gameagentnet.List": func(ctx context.Context) error {
			_, err := gameagent.List(ctx, udp)
			return err
		},
		"gamespy1net.Status": func(ctx context.Context) error {
			_, err := (&gamespy1net.Client{Timeout: wait, Attempts: 1}).Status(ctx, udp)
			return err
		},
		"gamespy1net.List": func(ctx context.Context) error {
			_, err := (&gamespy1net.Client{Timeout: wait}).List(ctx, tcp)
			return err
		},
		"bombermannet.List": func(ctx context.Context) error {
			_, err := (&bombermannet.Client{Timeout: wait}).List(ctx, tcp)
			return err
		},
		"warzonenet.List": func(ctx context.Context) error {
			_, err := (&warzonenet.Client{Timeout: wait}).List(ctx, tcp)
			return err
		},
		"proposalnet.List, text": func(ctx context.Context) error {
			_, err := (&proposalnet.Client{Timeout: wait}).List(ctx, tcp)
			return err
		},
		"proposalnet.List, JSON": func(ctx context.Context) error {
			_, err := (&proposalnet.Client{Timeout: wait, Proposal: proposalnet.JSON}).List(ctx, tcp)
			return err
		},
	} {
		if err := ask(t.Context()); !errors.Is(err, lobbywire.ErrTimeout) || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// Everything that serves or runs reports the same error after Close.
func TestHelpersReturnTheSameErrorAfterClose(t *testing.T) {
	for name, s := range map[string]interface {
		Serve(net.PacketConn) error
		Close() error
	}{
		"sqpnet.Server":       new(sqpnet.Server),
		"gamespy2net.Server":  new(gamespy2net.Server),
		"gameagentnet.Server": new(gameagentnet.Server),
		"gamespy1net.Server":  new(gamespy1net.Server),
		"gamespy1net.Master":  new(gamespy1net.Master),
	} {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		wantClosed(t, name, s.Close, func() error { return s.Serve(pc) })
	}
	for name, s := range map[string]interface {
		Serve(net.Listener) error
		Close() error
	}{
		"bombermannet.ManagementServer": new(bombermannet.ManagementServer),
		"warzonenet.Lobby":              new(warzonenet.Lobby),
		"proposalnet.Lobby":             new(proposalnet.Lobby),
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		wantClosed(t, name, s.Close, func() error { return s.Serve(l) })
	}

	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer pc.Close()
	registrar := new(bombermannet.Registrar)
	host := new(warzonenet.Host)
	proposed := new(proposalnet.Host)
	if err := errors.Join(
		registrar.Set(bomberman.Server{
			Name: "Duel", Address: "192.0.2.1", Port: 8080,
			Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
		}),
		host.Set(warzone.Game{Name: "Duel", MapName: "Rush", MaxPlayers: 2}),
		proposed.Set(proposalnet.Game{Port: 2100, Name: "Duel", Map: "Rush", MaxPlayers: 2}),
	); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]interface {
		Run(context.Context) error
		Close() error
	}{
		"bombermannet.Registrar": registrar,
		"warzonenet.Host":        host,
		"proposalnet.Host":       proposed,
		"gamespy1net.Registration": &gamespy1net.Registration{
			Server: new(gamespy1net.Server), Addr: "192.0.2.1:27900", Conn: pc,
		},
		"gameagentnet.Registration": &gameagentnet.Registration{
			Server: new(gameagentnet.Server), Addr: "192.0.2.1:9005", Conn: pc,
		},
	} {
		wantClosed(t, name, r.Close, func() error { return r.Run(t.Context()) })
	}
}

// wantClosed closes what is closed and checks what it returns then.
func wantClosed(t *testing.T, name string, end, run func() error) {
	t.Helper()
	if err := end(); err != nil {
		t.Errorf("%s: Close returned %v", name, err)
	}
	if err := run(); !errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("%s: got error %v after Close", name, err)
	}
}
