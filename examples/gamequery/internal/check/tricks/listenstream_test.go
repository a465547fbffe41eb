package tricks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// patience is how long a server may take to answer on a busy machine.
const patience = 20 * time.Second

// playStreams plays all tricks of connections to a client, as playTricks does.
func playStreams(t *testing.T, protocol string, client func(addr string) string) (r Result, text string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return playAll(t, protocol, func() string { return client(listener.Addr().String()) },
		func(l Listener) (Result, error) { return l.ServeStreams(t.Context(), listener), nil })
}

var (
	errPartial = errors.New("a part")  // stands for a list that is shown as incomplete
	errRefused = errors.New("refused") // stands for the status 429
)

// shownList returns what a client shows of a list.
func shownList(l lobbywire.ListResult) (string, error) {
	var names []string
	for _, s := range l.Servers {
		names = append(names, s.View.Name)
	}
	err := l.Err
	refusal, isRefusal := errors.AsType[*wzhttpnet.Error](err)
	switch {
	case l.Partial:
		err = errPartial
	case isRefusal && refusal.Status == http.StatusTooManyRequests:
		err = errRefused
	}
	return fmt.Sprintf("%q", names), err
}

// Our clients bear all tricks over TCP. Each has its error, and none hangs.
func TestOurClientsBearTricksOverTCP(t *testing.T) {
	var (
		timedOut = lobbywire.ErrTimeout
		early    = io.ErrUnexpectedEOF
		invalid  = lobbywire.ErrInvalid
		tooLarge = lobbywire.ErrTooLarge
	)
	for _, tt := range []struct {
		name, protocol string
		client         func(ctx context.Context, addr string, timeout time.Duration) (shown string, err error)
		errors         []error // of each trick
	}{
		{"list of bomberman", "bomberman", func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			l, err := (&bombermannet.Client{Timeout: timeout, ListEvery: -1}).List(ctx, addr)
			var names []string
			for _, s := range l.Servers {
				names = append(names, s.Name)
			}
			return fmt.Sprintf("%q", names), err
		}, []error{nil, nil, early, early, timedOut, nil, nil, nil, nil, nil, nil,
			invalid, lobbywire.ErrTruncated, early, tooLarge, invalid}},
		{"game of bomberman", "bomberman", func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return "", err
			}
			game := &bombermannet.GameConn{Conn: conn}
			defer game.Close()
			stop := time.AfterFunc(timeout, func() { game.Close() })
			defer stop.Stop()
			if err := game.Send(bomberman.RegisterPlayer{Name: "Ann"}); err != nil {
				return "", err
			}
			for {
				m, err := game.Receive()
				if err != nil {
					return "", err
				}
				if m, ok := m.(bomberman.PlayersUpdated); ok {
					return fmt.Sprintf("%q", m.Players[0].Name), nil
				}
			}
		}, []error{nil, nil, io.EOF, early, net.ErrClosed, nil, nil, nil, nil, nil, nil, net.ErrClosed, net.ErrClosed,
			invalid, tooLarge, invalid}},
		{"warzone", "warzone", func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			return shownList((&warzonenet.Client{Timeout: timeout, ListEvery: -1}).ListViews(ctx, addr))
		}, []error{nil, nil, early, early, timedOut, nil, nil, nil, nil, nil, nil, nil,
			lobbywire.ErrUnsupported, errPartial, tooLarge, errPartial}},
		{"wzhttp", "wzhttp", func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			return shownList((&wzhttpnet.Client{Timeout: timeout, ListEvery: -1}).ListViews(ctx, "http://"+addr))
		}, []error{nil, nil, early, early, timedOut, nil, nil, nil, nil, nil,
			invalid, invalid, errPartial, errPartial, errPartial, errRefused}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []error
			r, text := playStreams(t, tt.protocol, func(addr string) string {
				timeout := patience
				if want := tt.errors[len(got)]; want == timedOut || want == net.ErrClosed {
					timeout = 100 * time.Millisecond // they wait in vain
				}
				shown, err := tt.client(t.Context(), addr, timeout)
				got = append(got, err)
				if err != nil {
					return "nothing"
				}
				return shown
			})
			wrong, total := counts(r)
			if wrong > 0 || total != len(dialects()[tt.protocol].tricks()) || !strings.Contains(text, "the client sent ") {
				t.Errorf("%d of %d failed:\n%s", wrong, total, text)
			}
			if !slices.EqualFunc(got, tt.errors, errors.Is) {
				t.Errorf("errors %q, want %q", got, tt.errors)
			}
		})
	}
}
