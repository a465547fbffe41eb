// Package answer contains the code that the game servers of gameagentnet and gamespy1net
// share: encoded answers, which a rate limit counts by size, and the players of a View.
package answer

import (
	"encoding"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// MaxRequest is the size of the longest request. Real ones have at most 11 bytes.
const MaxRequest = 64

// unit is the size in bytes up to which an answer counts as one in rate limits. A longer
// answer counts as several.
const unit = 512

// maxPackets bounds the answer to a request of one byte.
const maxPackets = 8

// Default is the default of limits, in units.
var Default = lobbywire.Rates{PerSource: 32, PerPrefix: 512, Global: 10_000}

// An Answer holds the datagrams that answer a request.
type Answer struct {
	packets [][]byte
	cost    int // in units
}

// Of returns the answer of one datagram.
func Of(m encoding.BinaryAppender) (Answer, error) {
	packet, err := m.AppendBinary(nil)
	if err != nil {
		return Answer{}, err
	}
	return Answer{[][]byte{packet}, cost(packet)}, nil
}

// Split returns an answer that may have several datagrams. If there are too many, the error
// names the field players in the protocol proto.
func Split(proto string, m interface{ Packets() ([][]byte, error) }) (a Answer, err error) {
	a.packets, err = m.Packets()
	if err != nil {
		return Answer{}, err
	}
	if n := len(a.packets); n > maxPackets {
		err = &lobbywire.Error{Proto: proto, Field: "players", Offset: -1, Err: wire.Exceeded(n, maxPackets)}
		return Answer{}, err
	}
	for _, p := range a.packets {
		a.cost += cost(p)
	}
	return a, nil
}

func cost(packet []byte) int { return (len(packet) + unit - 1) / unit }

// First returns the first datagram, which must not be changed.
func (a *Answer) First() []byte { return a.packets[0] }

// Send appends the datagrams if the rate limit allows it. The first one ends with echo.
func (a *Answer) Send(
	l *limit.Limiter, from netip.AddrPort, echo []byte, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if !l.AllowN(from.Addr(), a.cost, now) {
		return dst, udp.Limited
	}
	for _, p := range a.packets {
		if echo != nil {
			p, echo = slices.Concat(p, echo), nil
		}
		dst = udp.Append(dst, p)
	}
	return dst, udp.Handled
}
