package bombermannet

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Reasons to discard valid messages.
var (
	errUnknownCommand = errors.New("bombermannet: unknown command")
	errNotRegistered  = errors.New("bombermannet: not registered")
	errFull           = errors.New("bombermannet: too many game servers")
	errNoStats        = errors.New("it has sent no stats")
)

// A peer is the other end of a connection: a client, a game server or both.
type peer struct {
	*ManagementServer
	conn         *stream.Conn
	id           uint64 // of the game server in the list; 0 before the first registration
	isRegistered bool
	server       bomberman.Server // the game server, if it is registered

	queries, others stream.Pace // of messages
}

// serve handles the messages of a connection until it ends.
func (m *ManagementServer) serve(ctx context.Context, c *stream.Conn) {
	limits := m.peers.Load()
	p := peer{
		ManagementServer: m, conn: c,
		queries: stream.Pace{Burst: queryBurst, Every: limits.queryEvery},
		others:  stream.Pace{Burst: burst, Every: limits.every},
	}
	next := new(framer).next
	for {
		payload, err := stream.Next(c, next)
		if err == nil {
			err = p.receive(ctx, payload)
		}
		if err != nil {
			if _, malformed := errors.AsType[*lobbywire.Error](err); malformed || err == stream.ErrTooLong {
				p.refusals.Malformed(p.host(), c.Rest(), err)
			}
			p.end(err)
			p.logger.LogAttrs(ctx, slog.LevelDebug, "connection ended",
				slog.String("peer", c.Remote().String()), slog.Any("error", err))
			return
		}
	}
}

// receive handles a message. An error ends the connection; the protocol has no message
// to report it to the peer.
func (p *peer) receive(ctx context.Context, payload []byte) error {
	m, err := bomberman.PeekMessage(payload)
	pace := &p.others
	if _, ok := m.(bomberman.QueryGameServers); ok {
		pace = &p.queries
	}
	if !pace.Wait(p.conn.Ending()) {
		return lobbywire.ErrClosed
	}
	if err != nil {
		p.refuse(err)
	} else {
		switch m.(type) {
		case bomberman.QueryGameServers:
			if err = wellFormed(payload); err == nil {
				return p.sendList()
			}
		case bomberman.RegisterGameServer:
			err = p.register(payload)
			p.refuse(err)
		case bomberman.UpdateGameServerStats:
			err = p.update(payload)
			p.refuse(err)
		case bomberman.UnregisterGameServer:
			if err = wellFormed(payload); err == nil {
				p.unregister()
			}
		case bomberman.Heartbeat: // for game servers; allowed here
		default:
			err = errUnknownCommand
		}
	}
	if err != nil {
		p.discarded.Add(1)
		p.logger.LogAttrs(ctx, slog.LevelDebug, "message discarded",
			slog.String("peer", p.conn.Remote().String()), slog.Any("error", err))
	}
	return nil
}

// host returns the address of the peer, without a port.
func (p *peer) host() netip.AddrPort { return netip.AddrPortFrom(p.conn.Remote().Addr(), 0) }

// refuse reports a game server that is not registered, or whose message is not accepted.
func (p *peer) refuse(err error) {
	r := lobbywire.Refusal{From: p.host(), Reason: lobbywire.ReasonInvalid, Err: err}
	switch {
	case err == nil:
		return
	case errors.Is(err, errFull):
		r.Reason, r.Limit, r.Err = lobbywire.ReasonFull, p.catalogue.servers.Limits().Max, nil
	}
	p.refusals.Report(r)
}

// wellFormed returns an error if a message is not JSON. It ignores the content
// where the protocol has none: programs in Java send a text there.
func wellFormed(payload []byte) error {
	_, err := bomberman.ParseUnknown(payload)
	return err
}

func (p *peer) sendList() error {
	answer := p.catalogue.answer()
	p.answered.Add(1)
	_, err := p.conn.WriteBuffers(answer)
	return err
}

// register registers the peer as a game server, in place of an earlier
// registration.
func (p *peer) register(payload []byte) error {
	r, err := bomberman.ParseRegisterGameServer(payload)
	if err != nil {
		return err
	}
	to := bomberman.Server{
		Name: r.ServerName, Address: r.ServerAddress, Port: r.ServerPort,
		Players:      bomberman.PlayerCount{Max: bomberman.MaxPlayers},
		IsLobbyOpen:  true,
		GameplayMode: bomberman.GameplayModeStandardA,
	}
	if s := &p.server; p.isRegistered && s.Name == to.Name && s.Address == to.Address && s.Port == to.Port {
		return nil
	}
	encoded, err := p.catalogue.encode(to)
	if err != nil {
		return err
	}
	if p.id == 0 {
		p.id = rand.Uint64()
	}
	hasRoom := false
	to = compacted(to)
	p.catalogue.servers.Update(p.id, time.Now(), true, func(t *locked, i int) registry.Outcome {
		hasRoom = true
		t.Value(i).from = p.conn.Remote()
		p.catalogue.set(t, i, to, encoded)
		if p.HideUntilStats {
			return registry.Hide
		}
		t.Decide(i)
		return registry.Keep
	})
	if !hasRoom {
		return errFull
	}
	if p.HideUntilStats {
		p.refusals.Report(lobbywire.Refusal{From: p.host(), Reason: lobbywire.ReasonIncomplete, Err: errNoStats})
	}
	p.isRegistered, p.server = true, to
	p.conn.SetIdle(p.peers.Load().idleRegistered)
	p.registered.Add(1)
	return nil
}

// update handles the stats of the game server.
func (p *peer) update(payload []byte) error {
	u, err := bomberman.ParseUpdateGameServerStats(payload)
	if err != nil {
		return err
	}
	if !p.isRegistered {
		return errNotRegistered
	}
	to := p.server
	to.Players.Current, to.Players.Max = u.Players.Current, u.Players.Max
	to.IsLobbyOpen, to.GameplayMode = u.IsLobbyOpen, u.GameplayMode
	encoded, err := p.catalogue.encode(to)
	if err != nil {
		return err
	}
	p.updated.Add(1)
	p.server = to
	p.catalogue.servers.Update(p.id, time.Now(), false, func(t *locked, i int) registry.Outcome {
		if t.State(i) != registry.Hidden && bytes.Equal(t.Value(i).encoded, encoded) {
			return registry.Ignore
		}
		p.catalogue.set(t, i, to, encoded)
		t.Decide(i)
		return registry.Keep
	})
	return nil
}

// unregister hides the game server, if there is one. Its place remains until the connection
// ends, so that registering again does not share it more often.
func (p *peer) unregister() {
	if !p.isRegistered {
		return
	}
	p.isRegistered = false
	p.conn.SetIdle(0)
	p.catalogue.servers.Update(p.id, time.Now(), false, func(*locked, int) registry.Outcome { return registry.Hide })
}

// end removes the game server at the end of the connection. If Shutdown or Close ended it,
// the game server stays listed for the clients that are still being served.
func (p *peer) end(err error) {
	switch {
	case p.id == 0:
	case err == lobbywire.ErrClosed:
		p.catalogue.removeLater(p.id)
	default:
		p.catalogue.remove(p.id)
	}
}
