package gamespy1net

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// textList starts a list as text, and textEnd ends it.
const (
	textList = `\ip\`
	textEnd  = `\final\`
)

// minText is the size from which a list without an end mark counts as text if all its bytes
// are text: three servers whose addresses and ports all look like text are unlikely.
const minText = 18

// isTextList reports whether b starts like a list as text, rather than like a compact list
// with the server 92.105.112.92.
func isTextList(b []byte) bool {
	b, ok := bytes.CutPrefix(b, []byte(textList))
	port := bytes.IndexByte(b, '\\')
	return ok && (port < 0 || port > 2) && exchange.IsText(b[:max(port, 0)])
}

// isComplete reports whether the answer of a master needs no more bytes. Some masters
// send a list as text although the request is for a compact one.
func isComplete(b []byte) bool {
	_, refused := exchange.Refusal(b)
	return gamespy1.IsListComplete(b) || (refused || isTextList(b)) && gamespy1.IsTextComplete(b)
}

// errNoAddress means that a list contains entries, but no readable address.
var errNoAddress = fmt.Errorf("%w: gamespy1net: no entry of the list is an address of IPv4 with a port",
	lobbywire.ErrUnreadable)

// parseText parses the text that a master sends in place of a compact list. If the answer
// is not text, ok is false.
func parseText(b []byte) (l Listing, err error, ok bool) {
	if reason, refused := exchange.Refusal(b); refused {
		return Listing{}, &MasterError{reason}, true
	}
	m, err := gamespy1.ParseAddressList(b)
	switch {
	case err == nil && len(m.Servers) > 0, isTextList(b):
	case len(b) >= minText && exchange.IsText(b) && !bytes.HasSuffix(b, []byte(textEnd)):
	default:
		return Listing{}, nil, false
	}
	if last := bytes.LastIndex(b, []byte(textList)); errors.Is(err, lobbywire.ErrTruncated) && last >= 0 {
		l.Partial = true // the last address may be cut
		m, err = gamespy1.ParseAddressList(append(bytes.Clone(b[:last]), textEnd...))
	}
	if errors.Is(err, lobbywire.ErrTooLarge) {
		l.Partial = true
		m, err = gamespy1.Options{Part: true}.ParseAddressList(b)
	}
	l.Partial = l.Partial || len(m.Servers) == gamespy1.MaxServers // the master may have more
	l.Queries = unique(m.Servers)
	for _, pair := range m.Extra {
		if pair.Key == "ip" {
			l.Skipped++
		} else {
			l.Partial = true
		}
	}
	if len(l.Queries) == 0 && l.Skipped > 0 && err == nil {
		err = errNoAddress
	}
	return l, stream.Outcome(err), true
}
