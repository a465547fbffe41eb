package exchange

import (
	"bytes"
	"context"
	"encoding"
	"math"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// AskMaster sends a request to the GameSpy master at addr. It returns the part of the list
// that has arrived, or nil if the request could not be sent, and the IP address of the
// master. It reads until isComplete reports that the list is complete, for at most step for
// the connection and for each read, and the time total.
func AskMaster(ctx context.Context, dial stream.DialFunc, addr string, step, total time.Duration,
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
	if greeting.Final || !ok {
		return b, false
	}
	end := b[:len(b)-len(rest)]
	if rest = cutZeros(rest); len(rest) == 0 {
		return end, true
	}
	return rest, false
}

// Refusal returns the reason of a master for refusing a request. Masters of 333networks
// send it with the key echo.
func Refusal(b []byte) (reason string, ok bool) {
	if m, err := gamespy1.ParseError(b); err == nil {
		return m.Text, true
	}
	m, err := gamespy1.ParseEcho(b)
	return m.Text, err == nil && m.Text != "" && IsText([]byte(m.Text))
}

// IsText reports whether all bytes are ASCII text.
func IsText(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool {
		return (r < ' ' || r > '~') && r != '\r' && r != '\n' && r != '\t'
	})
}
