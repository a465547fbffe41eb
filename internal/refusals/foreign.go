package refusals

import (
	"bytes"
	"errors"
	"net/netip"

	"github.com/lobbywire/lobbywire"
)

// errIPv6 is the reason why lists of IPv4 addresses do not contain a server.
var errIPv6 = errors.New("lists contain only IPv4 addresses, and the server has registered over IPv6")

// Address reports a server whose address lists cannot contain.
func (r *Reporter) Address(from netip.AddrPort, game string) {
	refusal := lobbywire.Refusal{From: from, Reason: lobbywire.ReasonAddress, Game: game}
	if from.Addr().Is6() {
		refusal.Err = errIPv6
	}
	r.Report(refusal)
}

// Malformed reports input that is not a request. The reason is another protocol if the
// input looks like one, otherwise err.
func (r *Reporter) Malformed(from netip.AddrPort, input []byte, err error) {
	if r == nil || r.To == nil {
		return
	}
	refusal := lobbywire.Refusal{From: from, Reason: lobbywire.ReasonInvalid, Err: err}
	if other := ProtocolOf(input); other != nil {
		refusal.Reason, refusal.Err = lobbywire.ReasonProtocol, other
	}
	r.Report(refusal)
}

// Foreign reports a datagram of another protocol.
func (r *Reporter) Foreign(from netip.AddrPort, datagram []byte) {
	if r != nil && r.To != nil {
		r.Report(lobbywire.Refusal{From: from, Reason: lobbywire.ReasonProtocol, Err: ProtocolOf(datagram)})
	}
}

// The protocols that a port may get in place of its own.
var (
	ErrHTTP      = errors.New("HTTP")
	ErrTLS       = errors.New("TLS")
	errProxied   = errors.New("the PROXY protocol: switch it off in the proxy in front, or let none be in front")
	errGameSpy   = errors.New("a heartbeat of GameSpy 2")
	errLegacy    = errors.New("a heartbeat of the first GameSpy protocol, the legacy form of GameAgent")
	errGameAgent = errors.New("the native form of GameAgent")
	errQuake     = errors.New("a packet of Quake or Steam")
	errWarzone   = errors.New("the lobby protocol of Warzone 2100 up to 4.6")
	errBomberman = errors.New("Bomberman")
)

// ProtocolOf returns the protocol that input starts with, or nil if it is unknown. The first
// four bytes are enough for HTTP, TLS and Warzone 2100.
func ProtocolOf(input []byte) error {
	starts := func(with ...string) bool {
		for _, w := range with {
			if bytes.HasPrefix(input, []byte(w)) {
				return true
			}
		}
		return false
	}
	const keySize = 4
	switch {
	case starts("GET ", "POST", "PATC", "PUT ", "DELE", "HEAD", "OPTI", "CONN", "PRI "):
		return ErrHTTP
	case starts("PROX", "\r\n\r\n\x00", "QUIT\n\x20", "QUIT\n\x21"): // versions 1 and 2; Warzone skips a part
		return errProxied
	case starts("\x16\x03"):
		return ErrTLS
	case starts(`\heartbeat\`):
		return errLegacy
	case starts("\x03") && len(input) > 1+keySize && isKey(input[1+keySize:]):
		return errGameSpy
	case starts("\xff\xff\xff\xff"):
		return errQuake
	case starts("addg", "gaId"):
		return errWarzone
	case isFrame(input):
		return errBomberman
	case starts("0;"), len(input) <= keySize && starts("q", "u"):
		return errGameAgent
	}
	return nil
}

// isFrame reports whether b starts with a length in decimal and an object of JSON.
func isFrame(b []byte) bool {
	object := bytes.TrimLeft(b, "0123456789")
	return len(object) > 0 && len(object) < len(b) && object[0] == '{'
}

// isKey reports whether b starts with a letter, as the names of values in heartbeats do.
func isKey(b []byte) bool { return b[0] >= 'a' && b[0] <= 'z' }
