package bombermannet

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A peer is the other end of a connection: a client, a game server or both.
type peer struct {
	*ManagementServer
	conn   *stream.Conn
	server *member // nil if none is registered
	last   *member // the last one that was registered; the next one gets its ID

	queries, others stream.Pace // of messages
}

// serve handles the messages of a connection until it ends.
func (m *ManagementServer) serve(ctx context.Context, c *stream.Conn) {
	p := peer{
		ManagementServer: m, conn: c,
		queries: stream.Pace{Burst: queryBurst, Every: m.queryEvery},
		others:  stream.Pace{Burst: burst, Every: m.every},
	}
	defer p.unregister()
	next := new(framer).next
	for {
		payload, err := stream.Next(c, next)
		if err == nil {
			err = p.receive(ctx, payload)
		}
		if err != nil {
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
	if err == nil {
		switch m.(type) {
		case bomberman.QueryGameServers:
			if err = wellFormed(payload); err == nil {
				return p.sendList()
			}
		case bomberman.RegisterGameServer:
			err = p.register(payload)
		case bomberman.UpdateGameServerStats:
			err = p.update(payload)
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

// wellFormed returns an error if a message is not JSON. It ignores the content
// where the protocol has none: programs in Java send a text there.
func wellFormed(payload []byte) error {
	_, err := bomberman.ParseUnknown(payload)
	return err
}

func (p *peer) sendList() error {
	p.mu.Lock()
	answer := p.list.answer()
	p.mu.Unlock()
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
	if s := p.server; s != nil && s.Server.Name == to.Name && s.Server.Address == to.Address && s.Server.Port == to.Port {
		return nil
	}
	encoded, err := encode(to)
	if err != nil {
		return err
	}
	if len(encoded) > maxEntry {
		return errEntryTooLong
	}
	to = compacted(to)
	if p.server == nil {
		s := p.last
		if s == nil {
			s = &member{Entry: Entry{ID: rand.Uint64(), From: p.conn.Remote()}}
		}
		p.mu.Lock()
		ok := p.addLocked(s)
		p.mu.Unlock()
		if !ok {
			return errFull
		}
		p.server, p.last = s, s
		p.conn.SetIdle(p.idleRegistered)
	}
	p.tell(p.server, func() {
		p.server.Server = to
		if p.HideUntilStats {
			p.list.unset(p.server)
		} else {
			p.listLocked(p.server, encoded)
		}
	})
	p.registered.Add(1)
	return nil
}

// update handles the stats of the game server.
func (p *peer) update(payload []byte) error {
	u, err := bomberman.ParseUpdateGameServerStats(payload)
	if err != nil {
		return err
	}
	s := p.server
	if s == nil {
		return errNotRegistered
	}
	to := s.Server
	to.Players.Current, to.Players.Max = u.Players.Current, u.Players.Max
	to.IsLobbyOpen, to.GameplayMode = u.IsLobbyOpen, u.GameplayMode
	encoded, err := encode(to)
	if err != nil {
		return err
	}
	p.updated.Add(1)
	if s.in != nil && bytes.Equal(encoded, s.encoded) {
		return nil
	}
	p.tell(s, func() {
		s.Server = to
		p.listLocked(s, encoded)
	})
	return nil
}

// unregister removes the registration of the peer, if there is one.
func (p *peer) unregister() {
	s := p.server
	if s == nil {
		return
	}
	p.server = nil
	p.conn.SetIdle(0)
	p.tell(s, func() { p.removeLocked(s) })
}
