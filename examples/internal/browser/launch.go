package browser

import (
	"errors"
	"fmt"
	"net/netip"
	"os/exec"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// The places in a command for where players join.
const (
	placeAddress = "{address}" // as 192.0.2.1:7777 or [2001:db8::1]:7777
	placeHost    = "{host}"
	placePort    = "{port}"
)

// ParseCommand splits a command for [Browser.Command] into words, which blanks separate
// unless they are in single or double quotes. One of the words after the program must
// have the place {address}, or {host}. The program must exist.
func ParseCommand(s string) ([]string, error) {
	words, err := split(s)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("the command is missing")
	}
	if arguments := strings.Join(words[1:], " "); !strings.Contains(arguments, placeAddress) &&
		!strings.Contains(arguments, placeHost) {
		return nil, errors.New("the command has no {address}, where the address to join goes")
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, err
	}
	return words, nil
}

// split splits a command into words.
func split(s string) (words []string, err error) {
	var word strings.Builder
	within := false // a word
	quote := rune(0)
	for _, c := range s {
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, within = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if within {
				words = append(words, word.String())
			}
			word.Reset()
			within = false
		default:
			word.WriteRune(c)
			within = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c has no end", quote)
	}
	if within {
		words = append(words, word.String())
	}
	return words, nil
}

// joining returns a command with where to join in its places. Servers and lists choose
// that text, so it must be the address of one machine with a port: no name, zone or
// anything else.
func joining(command []string, join string) ([]string, error) {
	at, err := netip.ParseAddrPort(join)
	addr := at.Addr().Unmap()
	if err != nil || at.Port() == 0 || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		return nil, fmt.Errorf("%q is not an IP address and a port", join)
	}
	places := strings.NewReplacer(placeAddress, netip.AddrPortFrom(addr, at.Port()).String(),
		placeHost, addr.String(), placePort, strconv.Itoa(int(at.Port())))
	words := []string{command[0]}
	for _, word := range command[1:] {
		words = append(words, places.Replace(word))
	}
	return words, nil
}

// exitedMsg is the error of a program that was started; nil if it has ended well.
type exitedMsg struct{ err error }

// launch starts the command for the chosen server, without a shell and without this
// terminal. The program keeps running when the browser ends.
func (m *model) launch() tea.Cmd {
	s := m.current()
	switch {
	case s == nil:
		return nil
	case s.join == "":
		m.notify("where to join is unknown")
		return nil
	}
	command := m.browser.Command(s.Protocol, s.view.Game)
	if command == nil {
		m.notify("there is no -launch for " + strings.TrimSpace(s.Protocol+" "+s.view.Game))
		return nil
	}
	words, err := joining(command, s.join)
	if err != nil {
		m.notify(err.Error())
		return nil
	}
	program := exec.Command(words[0], words[1:]...)
	if err := program.Start(); err != nil {
		m.notify(err.Error())
		return nil
	}
	m.notify("started " + strings.Join(words, " "))
	return func() tea.Msg { return exitedMsg{program.Wait()} }
}
