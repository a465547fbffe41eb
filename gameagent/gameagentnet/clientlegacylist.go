package gameagentnet

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// LegacyList fetches the servers of a game, such as "serioussamse", from the legacy master
// at addr, host:port of a TCP port. It waits up to Timeout for each step and up to 10 times
// that in total, and does not retry. Requests are limited as in List; a request for another
// game waits. The Listing is Partial if the connection ends or the deadline passes before
// the list ends. Its RTT is the time of the whole exchange.
//
// The error is a [*MasterError] if the master refuses the request and says why; most
// end the connection.
//
// The list of a legacy master has query ports. The Listing has game ports, as that
// of List does, which are lower by one.
func (c *Client) LegacyList(ctx context.Context, addr, game string) (Listing, error) {
	return c.listOnce(ctx, addr, `\`+game, func(ctx context.Context) (Listing, error) { return c.fetchLegacy(ctx, addr, game) })
}

func (c *Client) fetchLegacy(ctx context.Context, addr, game string) (Listing, error) {
	s := c.scanner(nil, 0)
	start := time.Now()
	end := start.Add(10 * s.Timeout)
	dialing, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	conn, err := s.Dial(dialing, "tcp", addr)
	if err != nil {
		return Listing{}, stream.Outcome(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	l := line{conn: conn, step: s.Timeout, end: end}
	greeting, err := readGreeting(&l)
	if err != nil {
		return Listing{}, stream.Outcome(err)
	}
	request, err := gameagent.LegacyListRequest{
		GameName:    game,
		Validate:    gameagent.LegacyValidate(greeting.Secure, cmp.Or(c.LegacyKey, gameagent.LegacyGameKey)),
		QueryID:     gameagent.LegacyQueryBasic.ID(),
		List:        gameagent.LegacyListCompact,
		ListName:    game,
		GameVersion: "1.05",
	}.MarshalBinary()
	if err != nil {
		return Listing{}, err
	}
	if _, err := conn.Write(request); err != nil {
		return Listing{}, stream.Outcome(err)
	}
	listing, err := readList(&l)
	listing.RTT, listing.Attempts = time.Since(start), 1
	return listing, err
}

// A line is a connection with the input of the current step.
type line struct {
	conn net.Conn
	step time.Duration
	end  time.Time
	buf  []byte

	final bool // the greeting had its end mark
}

// A MasterError is the reason why a legacy master refuses a request.
type MasterError struct {
	Text string // as the master sent it
}

// Error returns the text in quotes.
func (e *MasterError) Error() string {
	return "gameagentnet: the master refuses: " + strconv.QuoteToASCII(e.Text)
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
func readGreeting(l *line) (gameagent.LegacyGreeting, error) {
	for {
		if err := l.more(); err != nil {
			return gameagent.LegacyGreeting{}, err
		}
		m, rest, err := gameagent.NextLegacyGreeting(l.buf)
		if err != lobbywire.ErrTruncated {
			l.buf, l.final = rest, m.Final
			return m, err
		}
	}
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

// read reads a list until isComplete reports that it is, and returns what has arrived.
// An empty list has no error, even if its end mark could be that of the greeting.
func (l *line) read(isComplete func(b []byte) bool) ([]byte, error) {
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

// readList reads a list up to its end. If the connection ends or the deadline
// passes first, the list is partial.
func readList(l *line) (Listing, error) {
	b, err := l.read(gameagent.IsLegacyListComplete)
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
		if game := netip.AddrPortFrom(s.Addr(), s.Port()-1); !known[game] {
			known[game] = true
			games = append(games, game)
		}
	}
	return games
}
