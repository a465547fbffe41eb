package gameagentnet

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// maxListRequest bounds a request for the list. Real ones have up to 250 bytes.
const maxListRequest = 1024

// start prepares connections.
func (l *listServer) start() {
	l.limiter.Proven = l.proven
	l.conns.Handler = l.serveConn
	l.conns.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second,
		MaxConns: 4096, MaxPerAddress: 32, MaxPerPrefix: 256, MaxBuffered: 4 << 20,
	}
	l.conns.MaxFrame = maxListRequest
	l.conns.Logger = l.logger
}

// serveConn sends the list to a client or to another master.
func (l *listServer) serveConn(ctx context.Context, c *stream.Conn) {
	err := l.converse(ctx, c)
	if err != nil && l.logger != nil {
		l.logger.LogAttrs(ctx, slog.LevelDebug, "list not sent",
			slog.String("peer", c.Remote().String()), slog.Any("error", err))
	}
}

// Reasons not to send a list.
var (
	errGame     = errors.New("gameagentnet: unknown game")
	errEncType  = errors.New("gameagentnet: encrypted lists are not supported")
	errValidate = errors.New("gameagentnet: wrong answer to the challenge")
	errPeer     = errors.New("gameagentnet: not a master that may fetch the list")
)

// converseFor bounds the duration of a connection, however slowly its peer
// reads.
const converseFor = 30 * time.Second

func (l *listServer) converse(ctx context.Context, c *stream.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, converseFor)
	defer cancel()
	defer c.EndWith(ctx)()
	greeting := gamespy1.Greeting{Secure: newSecure()}
	b, err := greeting.AppendBinary(nil)
	if err != nil {
		return err
	}
	if _, err := c.Write(b); err != nil {
		return err
	}
	request, err := l.nextRequest(c)
	if err != nil {
		return err
	}
	var list []byte
	switch request := request.(type) {
	case gamespy1.ListRequest:
		list, err = l.listFor(request, greeting.Secure)
	case gamespy1.SyncRequest:
		list, err = l.syncFor(request, greeting.Secure, c.Remote().Addr())
	}
	if err != nil {
		return err
	}
	l.proven.Add(c.Remote().Addr(), time.Now())
	if _, err := c.Write(list); err != nil {
		return err
	}
	l.legacyLists.Add(1)
	return c.Finish()
}

// newSecure returns a challenge for a connection.
func newSecure() string { return rand.Text()[:6] }

// waitForEnd is how long the end mark of a request may be late.
const waitForEnd = 500 * time.Millisecond

// errNoEnd ends reading of a request that lacks only its end mark.
var errNoEnd = errors.New("gameagentnet: the request has no end mark")

// nextRequest reads a request. Some clients leave out the end mark, and wait for the list.
func (l *listServer) nextRequest(c *stream.Conn) (gamespy1.ToListPort, error) {
	var open gamespy1.ToListPort // the request so far, if it lacks only its end mark
	late := time.AfterFunc(waitForEnd, func() { c.End(errNoEnd) })
	defer late.Stop()
	request, err := stream.Next(c, func(b []byte) (m gamespy1.ToListPort, rest []byte, err error) {
		late.Stop()
		m, rest, err = cutListRequest(b)
		if open = l.withoutEnd(b); open != nil && err != nil {
			late.Reset(waitForEnd)
		}
		return m, rest, err
	})
	if open != nil && (errors.Is(err, errNoEnd) || errors.Is(err, io.ErrUnexpectedEOF)) {
		return open, nil
	}
	return request, err
}

// withoutEnd returns the request for the list of a game that b is without its end mark, or
// nil if it is none.
func (l *listServer) withoutEnd(b []byte) gamespy1.ToListPort {
	m, err := gamespy1.ParseListRequest(slices.Concat(b, []byte(textEnd)))
	if err != nil || m.ListName == "" || l.catalogue.game(m.ListName) == nil {
		return nil
	}
	return m
}

// cutListRequest cuts a complete request off b.
func cutListRequest(b []byte) (m gamespy1.ToListPort, rest []byte, err error) {
	m, err = gamespy1.ParseToListPort(b)
	if errors.Is(err, lobbywire.ErrTruncated) {
		err = lobbywire.ErrTruncated
	}
	if err != nil {
		return nil, b, err
	}
	return m, nil, nil
}

// listFor returns the answer to a client.
func (l *listServer) listFor(request gamespy1.ListRequest, secure string) ([]byte, error) {
	own := l.catalogue.game(request.GameName)
	if own == nil {
		return nil, errGame
	}
	if err := l.validate(own.Key, secure, request.Validate); err != nil {
		return nil, err
	}
	if request.EncType != 0 {
		return nil, errEncType
	}
	of := own
	if request.ListName != "" {
		of = l.catalogue.game(request.ListName)
		if of == nil {
			return nil, errGame
		}
	}
	return l.encodedList(of, request.List == gamespy1.ListCompact, time.Now())
}

// validate checks the answer to the challenge of a connection.
func (l *listServer) validate(key, secure, answer string) error {
	if key != "" && subtle.ConstantTimeCompare([]byte(answer), []byte(gamespy1.Validate(secure, key))) != 1 {
		l.wrong.Add(1)
		return errValidate
	}
	return nil
}

// encodedList returns the list of a game, compact or as text.
func (l *listServer) encodedList(g *game, compact bool, now time.Time) (list []byte, err error) {
	l.catalogue.servers.Do(now, func(t *locked) { list, err = l.encode(t, g, compact, now) })
	return list, err
}

// encode returns the list of a game, which it reuses for a while.
func (l *listServer) encode(t *locked, g *game, compact bool, now time.Time) (list []byte, err error) {
	if now.Sub(g.kept) >= keepLists {
		g.compactList, g.textList, g.kept = nil, nil, now
	}
	kept := &g.textList
	if compact {
		kept = &g.compactList
	}
	if *kept == nil {
		servers := l.addresses(t, g, true, gamespy1.MaxServers)
		var list encoding.BinaryAppender = gamespy1.AddressList{Servers: servers}
		if compact {
			list = gamespy1.ServerList{Servers: servers}
		}
		*kept, err = list.AppendBinary(nil)
	}
	return *kept, err
}

// addresses returns up to a number of servers of a game. If there are more, the next call continues
// where this one ends. If synced is set, they include servers that are known only from other
// masters.
func (l *listServer) addresses(t *locked, g *game, synced bool, most int) []netip.AddrPort {
	all := make([]netip.AddrPort, 0, min(len(g.owners), most))
	for n := range g.owners {
		at := (g.next + n) % len(g.owners)
		if len(all) == most {
			g.next = at
			break
		}
		if i := g.owners[at]; synced || !t.Value(i).synced {
			all = append(all, l.catalogue.publicAddr(t.Key(i)))
		}
	}
	return all
}

// syncFor returns the answer to another master.
func (l *listServer) syncFor(request gamespy1.SyncRequest, secure string, from netip.Addr) ([]byte, error) {
	if !l.sync.masters.serves(from) {
		return nil, errPeer
	}
	if err := l.validate(l.catalogue.masterKey(), secure, request.Validate); err != nil {
		return nil, err
	}
	var list gamespy1.SyncList
	if request.MasterID == l.sync.id {
		return list.AppendBinary(nil) // the peer is this Master itself
	}
	l.catalogue.servers.Do(time.Now(), func(t *locked) {
		room := gamespy1.MaxServers
		for name, g := range *l.catalogue.games.Load() {
			if request.Sync != gamespy1.SyncAll && !slices.ContainsFunc(strings.Fields(request.Sync), g.isNamed) {
				continue
			}
			if servers := l.addresses(t, g, false, max(room-1, 0)); len(servers) > 0 {
				room -= 1 + len(servers) // the game counts, too
				list.Games = append(list.Games, gamespy1.SyncGame{GameName: name, Servers: servers})
			}
		}
	})
	return list.AppendBinary(nil)
}
