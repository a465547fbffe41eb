package gameagentnet

import (
	"bytes"
	"cmp"
	"context"
	"encoding"
	"errors"
	"math"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// LegacyList fetches the servers of a game, such as "serioussamse", from the legacy master
// at addr, host:port of a TCP port. It waits up to Timeout for each step and up to 10 times
// that in total, and does not retry. Requests are limited as in List; a request for another
// game waits. The Listing is Partial if the connection ends or the deadline passes before
// the list ends, or if the list has [gamespy1.MaxServers] servers or more.
//
// The list may also be text, as some masters send it to all clients. Other text is no list:
// the error is then [lobbywire.ErrUnreadable].
//
// The error is a [*MasterError] if the master gives a reason for refusing the request. Most
// masters close the connection instead, for example if they do not know the game; the error
// is then [io.ErrUnexpectedEOF].
//
// The list of a legacy master contains query ports. The ports in the Listing are lower by
// one, like those of List. In other games than Serious Sam they may not be the ports of
// the games: see [gamespy1.GamePort].
func (c *Client) LegacyList(ctx context.Context, addr, game string) (Listing, error) {
	return c.listOnce(ctx, addr, `\`+game, func(ctx context.Context) (Listing, error) {
		return c.fetchLegacy(ctx, addr, game)
	})
}

func (c *Client) fetchLegacy(ctx context.Context, addr, game string) (Listing, error) {
	s := scan.Scanner{Timeout: c.Timeout}
	s.SetDefaults()
	var asked time.Time
	b, master, err := askMaster(ctx, c.Dial, addr, s.Timeout, 10*s.Timeout, func(secure string) encoding.BinaryAppender {
		asked = time.Now()
		return gamespy1.ListRequest{
			GameName:    game,
			Validate:    gamespy1.Validate(secure, cmp.Or(c.LegacyKey, gamespy1.SeriousSamKey)),
			QueryID:     gamespy1.QueryBasic.ID(),
			List:        gamespy1.ListCompact,
			ListName:    game,
			GameVersion: "1.05",
		}
	}, isAnswerComplete)
	if b == nil {
		return Listing{}, stream.Outcome(err)
	}
	listing, err := parseList(b, err, game)
	listing.MasterIP, listing.RTT, listing.Attempts = master, time.Since(asked), 1
	return listing, err
}

// askMaster sends a request to the legacy master at addr and returns the list that it
// answers with, as far as it has arrived, or nil if the request has not been sent, and the
// IP address of the master. It reads until isComplete reports that the list is complete, for at most step for the
// connection and for each read, and the time total.
func askMaster(ctx context.Context, dial stream.DialFunc, addr string, step, total time.Duration,
	request func(secure string) encoding.BinaryAppender, isComplete func(b []byte) bool,
) (list []byte, master netip.Addr, err error) {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	dialing, cancelDialing := context.WithTimeout(ctx, step)
	defer cancelDialing()
	conn, err := stream.Dial(dialing, dial, addr, stream.Limits{
		First: total, Frame: total, Idle: total, Write: step, MaxFrame: math.MaxInt, Buffer: 4096,
	})
	if err != nil {
		return nil, master, err
	}
	defer conn.Close()
	defer conn.EndWith(ctx)()
	pause := time.AfterFunc(step, func() { conn.End(os.ErrDeadlineExceeded) })
	defer pause.Stop()

	greeting, err := stream.Next(conn, gamespy1.NextGreeting)
	if err != nil {
		return nil, master, conn.Outcome(err)
	}
	b, err := request(greeting.Secure).AppendBinary(nil)
	if err != nil {
		return nil, master, err
	}
	if _, err := conn.Write(b); err != nil {
		return nil, master, err
	}
	list, err = stream.Next(conn, func(b []byte) (list, rest []byte, err error) {
		pause.Reset(step)
		if list, isOpen := listAfter(greeting, b); isComplete(list) && !isOpen {
			return list, nil, nil
		}
		return nil, b, lobbywire.ErrTruncated
	})
	if err != nil {
		// An empty list is no error, even if its end mark may belong to the greeting.
		list, _ = listAfter(greeting, conn.Rest())
		if isComplete(list) {
			err = nil
		}
	}
	return list, conn.Remote().Addr(), err
}

// cutZeros returns b without the zero bytes that some masters send after a greeting. Four
// of them are an address.
func cutZeros(b []byte) []byte {
	zeros := len(b) - len(bytes.TrimLeft(b, "\x00"))
	if zeros < 4 {
		return b[zeros:]
	}
	return b
}

// listAfter returns the list in the bytes after a greeting. They may be the end mark of
// the greeting rather than an empty list if isOpen is set.
func listAfter(greeting gamespy1.Greeting, b []byte) (list []byte, isOpen bool) {
	b = cutZeros(b)
	rest, ok := gamespy1.CutEnd(b)
	rest = cutZeros(rest)
	switch {
	case greeting.Final || !ok:
		return b, false
	case len(rest) == 0:
		return b[:len(textEnd)], true
	}
	return rest, false
}

// parseList parses a list. If the connection ended or the deadline passed before its
// end, with the error err, or if the list is too long, it is partial.
func parseList(b []byte, err error, game string) (Listing, error) {
	if l, textErr, ok := parseText(b); ok {
		return l, textErr
	}
	m, parseErr := gamespy1.ParseServerList(b)
	if !errors.Is(parseErr, lobbywire.ErrTruncated) && !errors.Is(parseErr, lobbywire.ErrTooLarge) {
		full := len(m.Servers) == gamespy1.MaxServers // the master may have more
		return Listing{Servers: gamesOf(m.Servers), Partial: full}, stream.Outcome(parseErr)
	}
	m, parseErr = gamespy1.Options{Part: true}.ParseServerList(b)
	switch {
	case len(b) == 0:
		return Listing{}, stream.NoList(stream.Incomplete(err), game, ", or its key is wrong")
	case len(m.Servers) == 0 && parseErr == nil:
		return Listing{}, stream.Incomplete(err)
	}
	return Listing{Servers: gamesOf(m.Servers), Partial: true}, parseErr
}
