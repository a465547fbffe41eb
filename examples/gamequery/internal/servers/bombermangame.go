package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// A bombermanGame is a game server that stays in its lobby: players join and leave,
// and no round starts.
type bombermanGame struct {
	registrars []*bombermanRegistrar
	serving    sync.WaitGroup

	mu       sync.Mutex
	server   bomberman.Server
	others   int // additional players that are only counted
	conns    map[*bombermannet.GameConn]struct{}
	players  []bombermanPlayer // in the order of joining
	joined   int
	isClosed bool
}

// A bombermanRegistrar registers a game at a management server.
type bombermanRegistrar struct {
	*bombermannet.Registrar
	own string // the local address of the last connection, at which that peer can reach the game
}

type bombermanPlayer struct {
	name string
	conn *bombermannet.GameConn
}

// maxBombermanConns limits the connections to a test game.
const maxBombermanConns = 100

// NewBomberman returns a test server of Bomberman.
func NewBomberman(g Game) (Server, error) {
	b := &bombermanGame{
		server: bomberman.Server{
			Name: g.Name, Port: int(g.At.Port()),
			Players:     bomberman.PlayerCount{Current: g.Players, Max: g.MaxPlayers},
			IsLobbyOpen: true, GameplayMode: bomberman.GameplayModeStandardA,
		},
		others: g.Players,
		conns:  make(map[*bombermannet.GameConn]struct{}),
	}
	var runs []func(context.Context) error
	notices := newNotices(g.Messages)
	for _, master := range g.Masters {
		r := &bombermanRegistrar{own: "127.0.0.1"} // until there is a connection
		r.Registrar = &bombermannet.Registrar{Addr: master, Changed: notices.standing("master "+master, nil)}
		if at := g.At.Addr(); at.IsUnspecified() {
			r.Dial = b.dialFor(r)
		} else {
			r.own = at.Unmap().WithZone("").String()
			r.ListensAt(g.listener())
		}
		b.registrars = append(b.registrars, r)
		runs = append(runs, r.Run)
	}
	if err := b.set(); err != nil {
		return Server{}, fmt.Errorf("%w; choose other flags", err)
	}
	return Server{
		accept:   b.accept,
		shutdown: b.shutdown,
		Stats: func() string {
			var connects, sent uint64
			for _, r := range b.registrars {
				s := r.Stats()
				connects += s.Connects
				sent += s.Sent
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			return fmt.Sprintf("connected %d times, sent %d registrations and updates; %d players joined", connects,
				sent, b.joined)
		},
		register: func(ctx context.Context, _ net.PacketConn) error { return runAll(ctx, runs) },
	}, nil
}

// set sends the state of the game to all management servers.
func (b *bombermanGame) set() (err error) {
	for _, r := range b.registrars {
		s := b.server
		s.Address = r.own
		err = errors.Join(err, r.Set(s))
	}
	return err
}

// dialFor returns a Dial of a registrar that sets the address of the game before it is
// registered.
func (b *bombermanGame) dialFor(r *bombermanRegistrar) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		r.own = c.LocalAddr().(*net.TCPAddr).AddrPort().Addr().Unmap().WithZone("").String()
		return c, b.set()
	}
}

func (b *bombermanGame) accept(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		b.mu.Lock()
		if b.isClosed || len(b.conns) == maxBombermanConns {
			conn.Close()
		} else {
			c := &bombermannet.GameConn{Conn: conn}
			b.conns[c] = struct{}{}
			b.serving.Go(func() { b.play(c) })
		}
		b.mu.Unlock()
	}
}

// play serves a player until it disconnects.
func (b *bombermanGame) play(c *bombermannet.GameConn) {
	defer c.Close()
	for {
		m, err := c.Receive()
		if err != nil {
			b.leave(c)
			return
		}
		if r, ok := m.(bomberman.RegisterPlayer); ok {
			b.join(c, r.Name)
		}
	}
}

// join adds a player, under another name if the name is taken.
func (b *bombermanGame) join(c *bombermannet.GameConn, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !bomberman.ValidName(name) || b.has(c, "") {
		_ = c.Send(bomberman.RegisterPlayerResponse{Rejected: true}) // Receive returns the error
		return
	}
	adapted := name
	for i := 1; b.has(nil, adapted); i++ {
		adapted = name + strconv.Itoa(i)
	}
	if err := c.Send(bomberman.RegisterPlayerResponse{AdaptedName: adapted}); err != nil {
		return
	}
	b.players = append(b.players, bombermanPlayer{adapted, c})
	b.joined++
	b.changed()
}

// has reports whether a player has the connection or the name.
func (b *bombermanGame) has(c *bombermannet.GameConn, name string) bool {
	for _, p := range b.players {
		if p.conn == c || p.name == name {
			return true
		}
	}
	return false
}

func (b *bombermanGame) leave(c *bombermannet.GameConn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.conns, c)
	for i, p := range b.players {
		if p.conn == c {
			b.players = append(b.players[:i], b.players[i+1:]...)
			b.changed()
			return
		}
	}
}

// changed sends the new players to all players and to the management server.
func (b *bombermanGame) changed() {
	var m bomberman.PlayersUpdated
	for i, p := range b.players[:min(len(b.players), b.server.Players.Max)] {
		m.Players = append(m.Players, bomberman.LobbyPlayer{Name: p.name, IsLeader: i == 0})
	}
	for _, p := range b.players {
		_ = p.conn.Send(m) // Receive returns the error
	}
	b.server.Players.Current = b.others + len(b.players)
	_ = b.set() // it stays valid: only the number of players changes
}

func (b *bombermanGame) shutdown(context.Context) error {
	b.mu.Lock()
	b.isClosed = true
	for c := range b.conns {
		c.Close()
	}
	b.mu.Unlock()
	b.serving.Wait()
	var err error
	for _, r := range b.registrars {
		err = errors.Join(err, r.Close())
	}
	return err
}
