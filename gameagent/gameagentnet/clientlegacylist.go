package gameagentnet

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// LegacyList fetches the servers of a game, such as "serioussamse", from the legacy master
// at addr, host:port of a TCP port. It waits up to Timeout for each step and up to 10 times
// that in total, and does not retry. Requests are limited as in List; a request for another
// game waits. The Listing is Partial if the connection ends or the deadline passes before
// the list ends. Its RTT is the time of the whole exchange.
//
// The error is a [*MasterError] if the master gives a reason for refusing the request.
// Most masters end the connection instead.
//
// The list of a legacy master has query ports. The Listing has game ports, as that
// of List does, which are lower by one.
func (c *Client) LegacyList(ctx context.Context, addr, game string) (Listing, error) {
	return c.listOnce(ctx, addr, `\`+game, func(ctx context.Context) (Listing, error) { return c.fetchLegacy(ctx, addr, game) })
}

func (c *Client) fetchLegacy(ctx context.Context, addr, game string) (Listing, error) {
	s := scan.Scanner{Dial: c.Dial, Timeout: c.Timeout}
	s.SetDefaults()
	start := time.Now()
	b, err := askMaster(ctx, &s, addr, 10*s.Timeout, func(secure string) encoding.BinaryMarshaler {
		return gameagent.LegacyListRequest{
			GameName:    game,
			Validate:    gameagent.LegacyValidate(secure, cmp.Or(c.LegacyKey, gameagent.LegacyGameKey)),
			QueryID:     gameagent.LegacyQueryBasic.ID(),
			List:        gameagent.LegacyListCompact,
			ListName:    game,
			GameVersion: "1.05",
		}
	}, gameagent.IsLegacyListComplete)
	if b == nil {
		return Listing{}, stream.Outcome(err)
	}
	listing, err := parseList(b, err)
	listing.RTT, listing.Attempts = time.Since(start), 1
	return listing, err
}

// A MasterError is the reason why a legacy master refuses a request.
type MasterError struct {
	Text string // as the master sent it
}

// Error returns the text in quotes.
func (e *MasterError) Error() string {
	return "gameagentnet: the master refuses: " + strconv.QuoteToASCII(e.Text)
}

// A line is a connection to a legacy master, with its unread input.
type line struct {
	conn net.Conn
	step time.Duration // for each read
	end  time.Time     // of the last read
	buf  []byte

	final bool // the greeting had its end mark
}

// askMaster sends a request to the legacy master at addr and returns the list that it
// answers with, as far as it has arrived, or nil if the request has not been sent. It
// reads until isComplete reports that the list is complete, for at most s.Timeout for
// each step, and the time total.
func askMaster(ctx context.Context, s *scan.Scanner, addr string, total time.Duration,
	request func(secure string) encoding.BinaryMarshaler, isComplete func(b []byte) bool,
) ([]byte, error) {
	l := line{step: s.Timeout, end: time.Now().Add(total)}
	dialing, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	conn, err := s.Dial(dialing, "tcp", addr)
	if err != nil {
		return nil, err
	}
	l.conn = conn
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	greeting, err := l.readGreeting()
	if err != nil {
		return nil, err
	}
	b, err := request(greeting.Secure).MarshalBinary()
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(b); err != nil {
		return nil, err
	}
	return l.readList(isComplete)
}

// more reads more input.
func (l *line) more() error {
	deadline := time.Now().Add(l.step)
	if l.end.Before(deadline) {
		deadline = l.end
	}
	if err := l.conn.SetDeadline(deadline); err != nil {
		return err
	}
	var chunk [4096]byte
	n, err := l.conn.Read(chunk[:])
	l.buf = append(l.buf, chunk[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

// readGreeting reads the greeting and keeps the bytes after it.
func (l *line) readGreeting() (m gameagent.LegacyGreeting, err error) {
	err = lobbywire.ErrTruncated
	for err == lobbywire.ErrTruncated {
		if err := l.more(); err != nil {
			return m, err
		}
		m, l.buf, err = gameagent.NextLegacyGreeting(l.buf)
	}
	l.final = m.Final
	return m, err
}

// list returns the bytes of the list that have arrived. They may be the end mark of the
// greeting rather than an empty list if isOpen is set.
func (l *line) list() (b []byte, isOpen bool) {
	rest, ok := gameagent.CutLegacyEnd(l.buf)
	switch {
	case l.final || !ok:
		return l.buf, false
	case len(rest) == 0:
		return l.buf, true
	}
	return rest, false
}

// readList reads a list until isComplete reports that it is complete, and returns what
// has arrived. An empty list has no error, even if its end mark could be that of the
// greeting.
func (l *line) readList(isComplete func(b []byte) bool) ([]byte, error) {
	for {
		err := l.more()
		b, isOpen := l.list()
		if isComplete(b) && (!isOpen || err != nil) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// parseList parses a list. If the connection ended or the deadline passed before its
// end, with the error err, the list is partial.
func parseList(b []byte, err error) (Listing, error) {
	if e, parseErr := gameagent.ParseLegacyError(b); parseErr == nil {
		return Listing{}, &MasterError{e.Text}
	}
	m, parseErr := gameagent.ParseLegacyServerList(b)
	if !errors.Is(parseErr, lobbywire.ErrTruncated) {
		return Listing{Servers: games(m.Servers)}, parseErr
	}
	m, parseErr = gameagent.Options{Part: true}.ParseLegacyServerList(b)
	if len(m.Servers) == 0 && parseErr == nil {
		return Listing{}, stream.Outcome(err)
	}
	return Listing{Servers: games(m.Servers), Partial: true}, parseErr
}

// games converts query addresses to game addresses, each once.
func games(servers []netip.AddrPort) []netip.AddrPort {
	known := make(map[netip.AddrPort]bool, len(servers))
	games := make([]netip.AddrPort, 0, len(servers))
	for _, s := range servers {
		if game := gameagent.GameAddr(s); !known[game] {
			known[game] = true
			games = append(games, game)
		}
	}
	return games
}
