package gamespy1net

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
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
	errGame     = errors.New("gamespy1net: unknown game")
	errEncType  = errors.New("gamespy1net: encrypted lists are not supported")
	errValidate = errors.New("gamespy1net: wrong answer to the challenge")
	errPeer     = errors.New("gamespy1net: not a master that may fetch the list")
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
	l.gameSpyLists.Add(1)
	return c.Finish()
}

// newSecure returns a challenge for a connection.
func newSecure() string { return rand.Text()[:6] }

// waitForEnd is the time that the end mark of a request may be late.
const waitForEnd = 500 * time.Millisecond

// errNoEnd ends reading of a request that lacks only its end mark.
var errNoEnd = errors.New("gamespy1net: the request has no end mark")

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

// withoutEnd returns the request for the list of a game in b, which lacks only its end
// mark, or nil if there is none.
func (l *listServer) withoutEnd(b []byte) gamespy1.ToListPort {
	m, err := gamespy1.ParseListRequest(slices.Concat(b, []byte(`\final\`)))
	if err != nil || m.ListName == "" || l.list.Game(m.ListName) == nil {
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
	own := l.list.Game(request.GameName)
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
		of = l.list.Game(request.ListName)
		if of == nil {
			return nil, errGame
		}
	}
	return l.list.GameList(of, request.List == gamespy1.ListCompact, time.Now())
}

// validate checks the answer to the challenge of a connection.
func (l *listServer) validate(key, secure, answer string) error {
	if key != "" && subtle.ConstantTimeCompare([]byte(answer), []byte(gamespy1.Validate(secure, key))) != 1 {
		l.wrong.Add(1)
		return errValidate
	}
	return nil
}

// syncFor returns the answer to another master.
func (l *listServer) syncFor(request gamespy1.SyncRequest, secure string, from netip.Addr) ([]byte, error) {
	if !l.sync.masters.serves(from) {
		return nil, errPeer
	}
	if err := l.validate(l.list.MasterKey(), secure, request.Validate); err != nil {
		return nil, err
	}
	var list gamespy1.SyncList
	if request.MasterID == l.sync.id {
		return list.AppendBinary(nil) // the peer is this Master itself
	}
	list.Games = l.list.SyncGames(func(g *serverlist.Game) bool {
		return request.Sync == gamespy1.SyncAll || slices.ContainsFunc(strings.Fields(request.Sync), g.IsNamed)
	})
	return list.AppendBinary(nil)
}
