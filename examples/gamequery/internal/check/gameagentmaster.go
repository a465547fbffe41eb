package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// A gameAgentMaster is what is known of a master of GameAgent.
type gameAgentMaster struct {
	game       Game
	registered bool        // source 0, in the native form
	silent     atomic.Bool // the legacy server at legacySource answers no queries
}

// legacySource is the source of the server in the legacy form.
const legacySource = 2

// address is where a list has a server: the native list has the port of the game, one
// below the port of queries.
func address(s *Session, source, lower int) netip.AddrPort {
	at := s.peer.(master).Address(source)
	return netip.AddrPortFrom(at.Addr(), at.Port()-uint16(lower))
}

// has reports whether a list has an address, and an error if it has it twice.
func has(servers []netip.AddrPort, want netip.AddrPort) (bool, error) {
	count := 0
	for _, at := range servers {
		if at == want || at.Port() == want.Port() && want.Addr().IsUnspecified() {
			count++
		}
	}
	if count > 1 {
		return true, fmt.Errorf("the server is listed %d times, want once", count)
	}
	return count > 0, nil
}

// join sends a join, and returns the challenge of the master.
func (m *gameAgentMaster) join(s *Session, source int) (gameagent.Challenge, error) {
	return m.challenge(s, source, mustBinary(gameagent.Join{}))
}

// challenge sends a datagram that must be answered with a challenge.
func (m *gameAgentMaster) challenge(s *Session, source int, b []byte) (gameagent.Challenge, error) {
	answers, err := s.ask(source, b)
	if err != nil {
		return gameagent.Challenge{}, err
	}
	if len(answers) == 0 {
		return gameagent.Challenge{}, errSilent
	}
	c, err := gameagent.ParseChallenge(answers[0])
	if err == nil && c.Challenge == 0 {
		err = errors.New("the challenge is 0, which means that there is none")
	}
	return c, err
}

// heartbeat returns the bytes of a heartbeat.
func (m *gameAgentMaster) heartbeat(challenge int32) []byte {
	return mustBinary(gameagent.Heartbeat{
		Challenge: challenge, Players: new(3), MaxPlayers: new(16), Level: "Check", GameType: "test",
		Version: "1.0", Product: m.game.Name,
	})
}

// register registers a server in the native form.
func (m *gameAgentMaster) register(s *Session, source int) error {
	c, err := m.join(s, source)
	if err == nil {
		_, err = s.askMaybe(source, m.heartbeat(c.Challenge))
	}
	if err != nil {
		return err
	}
	return m.listed(s, source)
}

// ensure registers source 0 unless an earlier case has.
func (m *gameAgentMaster) ensure(s *Session) error {
	if m.registered {
		return nil
	}
	err := m.register(s, 0)
	m.registered = err == nil
	return err
}

// list requests the native list.
func (m *gameAgentMaster) list(s *Session) ([]netip.AddrPort, error) {
	s.peer.(master).Wait(listPace)
	answers, err := s.askWhole(1, mustBinary(gameagent.ListRequest{}), func(answers [][]byte) bool {
		return len(answers[len(answers)-1]) <= maxListPacket-6 // a full packet may have another after it
	}, true)
	if err == nil && len(answers) == 0 {
		err = errSilent
	}
	var all []netip.AddrPort
	for _, b := range answers {
		l, wrong := gameagent.Options{Strict: true}.ParseServerList(b)
		err = cmp.Or(err, wrong)
		if len(b) > maxListPacket {
			err = cmp.Or(err, fmt.Errorf("a packet has %d bytes, want at most %d", len(b), maxListPacket))
		}
		all = append(all, l.Servers...)
	}
	return all, err
}

// maxListPacket is the size of the largest packet of a list: a type and 170 servers.
const maxListPacket = 1 + 170*6

// listed waits until the native list has a server.
func (m *gameAgentMaster) listed(s *Session, source int) error {
	return s.awaits(func() error { return reverse(m.absent(s, source)) })
}

// reverse makes the error of a list that must have a server from one that must not.
func reverse(err error) error {
	switch {
	case err == nil:
		return errNotListed
	case errors.Is(err, errListed):
		return nil
	}
	return err
}

// absent returns an error if the native list has a server.
func (m *gameAgentMaster) absent(s *Session, source int) error {
	all, err := m.list(s)
	if err != nil {
		return err
	}
	found, err := has(all, address(s, source, 1))
	if found && err == nil {
		err = errListed
	}
	return err
}

// answerer returns an answerer with our server, for the legacy form.
func (m *gameAgentMaster) answerer() answerer {
	server := new(gameagentnet.Server)
	server.SetView(serverView(serverName, m.game))
	return func(source int, from netip.AddrPort, b []byte) [][]byte {
		query, err := gameagent.ParseToServer(b)
		if err != nil {
			return nil
		}
		switch query := query.(type) {
		case gameagent.LegacySecure:
			answer := gameagent.LegacyValidation{Validate: gameagent.LegacyValidate(query.Secure, m.game.Key)}
			return [][]byte{mustBinary(answer)}
		case gameagent.LegacyRequest, gameagent.StatusRequest, gameagent.PlayersRequest, gameagent.PingRequest:
			if source != legacySource || m.silent.Load() {
				return [][]byte{}
			}
			return server.Respond(from, b, [][]byte{})
		}
		return nil
	}
}

// legacyHeartbeat returns the bytes of a heartbeat in the legacy form.
func (m *gameAgentMaster) legacyHeartbeat(s *Session, source int, stops bool) []byte {
	return mustBinary(gameagent.LegacyHeartbeat{
		QueryPort: s.peer.(master).Address(source).Port(), GameName: m.game.Name, StateChanged: stops, ShuttingDown: stops,
	})
}

// legacyList fetches the list of a game over TCP, in one of its forms. answer makes the
// answer to the challenge of the master. The request comes in pieces, as from some clients.
func (m *gameAgentMaster) legacyList(s *Session, game, form string, answer func(secure string) string,
) (list []byte, err error) {
	asked, at := false, 0
	var next func(heard []byte) []byte
	heard, err := s.converse(func(heard []byte) []byte {
		if asked {
			return next(heard)
		}
		greeting, rest, err := gameagent.NextLegacyGreeting(heard)
		if err != nil {
			return nil
		}
		asked, at = true, len(heard)-len(rest)
		request := mustBinary(gameagent.LegacyListRequest{
			GameName: m.game.Name, Validate: answer(greeting.Secure), QueryID: "1.1", List: form, ListName: game,
		})
		next = inOrder(pieces(request, bytes.Index(request, []byte(`\list\`)))...)
		return next(heard)
	}, func(heard []byte) bool {
		if form == gameagent.LegacyListCompact {
			return asked && gameagent.IsLegacyListComplete(heard[at:])
		}
		return asked && gameagent.IsLegacyTextComplete(heard[at:])
	})
	switch {
	case err != nil:
		return nil, err
	case !asked && len(heard) == 0:
		return nil, errors.New("the connection is closed without a greeting")
	case !asked:
		_, _, err := gameagent.NextLegacyGreeting(heard)
		return nil, err
	}
	if list, ok := gameagent.CutLegacyEnd(heard[at:]); ok && len(list) > 0 {
		return list, nil // the end mark was the end of the greeting
	}
	return heard[at:], nil
}

// right returns the right answer to the challenge of a master.
func (m *gameAgentMaster) right(secure string) string {
	return gameagent.LegacyValidate(secure, m.game.Key)
}

// legacyAbsent returns an error if the legacy list has a server.
func (m *gameAgentMaster) legacyAbsent(s *Session, source int, form string) error {
	b, err := m.legacyList(s, m.game.Name, form, m.right)
	if err != nil {
		return err
	}
	var servers []netip.AddrPort
	if form == gameagent.LegacyListCompact {
		l, wrong := gameagent.ParseLegacyServerList(b)
		servers, err = l.Servers, wrong
	} else {
		l, wrong := gameagent.ParseLegacyAddressList(b)
		servers, err = l.Servers, wrong
	}
	if err != nil {
		return err
	}
	found, err := has(servers, address(s, source, 0))
	if found && err == nil {
		err = errListed
	}
	return err
}

// serversIn returns the number of servers of a compact legacy list. The text of a refusal may
// also be read as addresses, and has none.
func serversIn(list []byte) int {
	_, noError := gameagent.ParseLegacyError(list)
	_, noEcho := gameagent.ParseLegacyEcho(list)
	l, err := gameagent.ParseLegacyServerList(list)
	if noError == nil || noEcho == nil || err != nil {
		return 0
	}
	return len(l.Servers)
}

// legacyListed sends a heartbeat and waits until the legacy list has the server.
func (m *gameAgentMaster) legacyListed(s *Session, form string) error {
	m.silent.Store(false)
	if _, err := s.askMaybe(legacySource, m.legacyHeartbeat(s, legacySource, false)); err != nil {
		return err
	}
	return s.awaits(func() error { return reverse(m.legacyAbsent(s, legacySource, form)) })
}

// withdraw removes the servers: a join hides one in the native form, and a legacy one says
// that it stops.
func (m *gameAgentMaster) withdraw(s *Session) {
	m.silent.Store(true)
	peer := s.peer.(master)
	if m.registered {
		peer.Send(0, mustBinary(gameagent.Join{}))
	}
	peer.Send(legacySource, m.legacyHeartbeat(s, legacySource, true))
}

func explainGameAgentMaster(p Packet) lobbywire.Explanation {
	switch {
	case !p.stream && p.Sent:
		return gameagent.ExplainToMaster(p.Bytes)
	case !p.stream && len(p.Bytes) > 0 && p.Bytes[0] == 's':
		return gameagent.Explain[gameagent.ServerList](p.Bytes)
	case !p.stream:
		return gameagent.ExplainToServer(p.Bytes)
	case p.Sent:
		return gameagent.ExplainToListPort(p.Bytes)
	case p.Request == nil:
		return gameagent.Explain[gameagent.LegacyGreeting](p.Bytes)
	}
	if request, _ := gameagent.ParseLegacyListRequest(p.Request); request.List != gameagent.LegacyListCompact {
		return gameagent.Explain[gameagent.LegacyAddressList](p.Bytes)
	}
	return gameagent.Explain[gameagent.LegacyServerList](p.Bytes)
}
