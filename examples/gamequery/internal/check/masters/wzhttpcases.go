package masters

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Sources of the cases of the HTTP lobby: what Warzone 2100 4.7 does.
const (
	whList  = "Warzone 2100 4.7, list of games"
	whHost  = "Warzone 2100 4.7, host"
	whProbe = "Warzone 2100 4.7, check of the game port"
	whJoin  = "Warzone 2100 4.7, join"
	whSafe  = "tokens are secrets of the host and the lobby"
)

// wzhttpRows are the cases of a lobby of 4.7.
func wzhttpRows() []row[*httpLobby] {
	type l = *httpLobby
	return []row[l]{
		{"1.1", check.Must, "a list request is answered with status 200 and a list", whList, l.answersList},
		{"1.2", check.Must, "a host that announces a game gets an id and its tokens", whHost, l.givesTokens},
		{"1.3", check.Must, "a game that answers the check of the lobby is listed, once, as it was announced", whProbe,
			listsOnce[l]},
		{"1.4", check.Must, "a game that does not answer the check is not listed", whProbe, l.hidesUnreachable},
		{"1.5", check.Must, "a change is listed, and answered with a status", whHost, l.takesChanges},
		{"1.6", check.Must, "an empty change keeps a game listed, and is answered with a status", whHost, l.takesKeepAlive},
		{"1.7", check.Must, "of two games, only the one is removed that is deleted", whHost, listsTwo[l]},
		{"1.8", check.Must, "a change with another token is refused, and changes nothing", whSafe, l.refusesPatch},
		{"1.9", check.Must, "a deletion with another token removes nothing", whSafe, l.refusesDelete},
		{"1.10", check.Must, "two games have different ids and tokens", whSafe, l.givesTwoTokens},
		{"1.11", check.Must, "a player who joins gets the address of the host, and a token that the host can check", whJoin,
			l.admitsJoin},
		{"1.12", check.Must, "the host is told to refuse a token that no player got", whJoin, l.refusesJoin},
		{"2.1", check.Must, "a list request that comes in pieces is answered", "HTTP",
			func(l l) error { return check.AskPieces(l.Session, l, 1, 20, -1) }},
		{"2.2", check.Must, "a client in the middle of a request does not keep others waiting", "HTTP",
			func(l l) error { return check.AskBesideSlow(l.Session, l, 10) }},
		{"2.3", check.Should, "unknown members of a game are accepted", whHost, l.takesUnknown},
		{"3.1", check.Must, "a game that is no JSON is refused", whHost, refusesBody(`{"name":`)},
		{"3.2", check.Must, "a game without a name is refused", whHost, refusesBody(`{"v":"4.7.0"}`)},
		{"3.3", check.Must, "a change of an unknown game is refused", whHost, l.refusesUnknown},
		{"3.4", check.Should, "a list has no addresses of hosts", whJoin, l.hidesAddresses},
		{"4.1", check.Must, "a body of 1 MiB is refused", "Warzone 2100 4.7, whose bodies have some KB", l.refusesLarge},
		{"5.1", check.Robust, "broken bodies are refused, and the lobby survives them", whHost, l.survives},
	}
}

func (l *httpLobby) answersList() error {
	_, err := l.list()
	return err
}

func (l *httpLobby) givesTokens() error {
	return l.create(0, check.MustBinary(wzhttp.Create{Room: room(0)}))
}

func (l *httpLobby) hidesUnreachable() error {
	l.rooms[0] = room(0)
	if err := l.create(0, check.MustBinary(wzhttp.Create{Room: l.rooms[0]})); err != nil {
		return err
	}
	if _, err := l.announce(0, false); err != nil {
		return err
	}
	for try := range 3 {
		l.Peer.Pause(try)
		if err := l.absent(0); err != nil {
			return err
		}
	}
	return nil
}

func (l *httpLobby) takesChanges() error {
	if err := listed(l, 0); err != nil {
		return err
	}
	changed := l.rooms[0]
	changed.Map.Name, changed.Players.Current = "Pier", 5
	status, err := l.patch(0, wzhttp.Patch{Map: &changed.Map, Players: &changed.Players})
	if err != nil {
		return err
	}
	if status.GameID != l.games[0].GameID || !status.Published {
		return errors.New("the status is of another game, or says that the game is not listed")
	}
	before := l.rooms[0]
	l.rooms[0] = changed
	return l.Eventually(func() error {
		if err := present(l, 0); err != nil {
			return fmt.Errorf("%w; before, the map was %q", err, before.Map.Name)
		}
		return nil
	})
}

func (l *httpLobby) takesKeepAlive() error {
	if err := listed(l, 0); err != nil {
		return err
	}
	if err := l.refresh(0); err != nil {
		return err
	}
	return present(l, 0)
}

func (l *httpLobby) refusesPatch() error {
	if err := listed(l, 0); err != nil {
		return err
	}
	name := "Other"
	err := l.refuses(wzhttp.EndpointPatch, l.games[0].GameID, changedAt(l.games[0].HostToken, -1),
		check.MustBinary(wzhttp.Patch{Name: &name}))
	if err != nil {
		return err
	}
	return present(l, 0)
}

func (l *httpLobby) refusesDelete() error {
	if err := listed(l, 0); err != nil {
		return err
	}
	// The game ignores the answer.
	if _, err := l.ask(wzhttp.EndpointDelete, l.games[0].GameID, changedAt(l.games[0].HostToken, 0), nil); err != nil {
		return err
	}
	return present(l, 0)
}

func (l *httpLobby) givesTwoTokens() error {
	for server := range 2 {
		if err := l.create(server, check.MustBinary(wzhttp.Create{Room: room(server)})); err != nil {
			return err
		}
	}
	a, b := l.games[0], l.games[1]
	if a.GameID == b.GameID || a.HostToken == b.HostToken || a.LobbyToken == b.LobbyToken {
		return errors.New("both have the same id or token")
	}
	return nil
}

// join returns what a player gets who joins the game.
func (l *httpLobby) join() (reply wzhttp.JoinReply, err error) {
	if err := listed(l, 0); err != nil {
		return reply, err
	}
	r, err := l.ask(wzhttp.EndpointJoin, l.games[0].GameID, "", wzhttp.JoinRequest{})
	if err != nil {
		return reply, err
	}
	if refusal, err := wzhttp.ParseError(r.body); r.status != http.StatusOK && err == nil {
		return reply, check.Skipped(fmt.Sprintf("the lobby admits no player without more: %q", refusal.Code))
	}
	if r.status != http.StatusOK {
		return reply, fmt.Errorf("status %d", r.status)
	}
	return wzhttp.Options{Strict: true}.ParseJoinReply(r.body)
}

// verdict returns what the lobby says of a token.
func (l *httpLobby) verdict(token string) (wzhttp.Verdict, error) {
	body, err := l.do(wzhttp.EndpointJoinCheck, l.games[0].GameID, l.games[0].HostToken, wzhttp.JoinCheck{
		JoinToken: token, IP: netip.MustParseAddr("127.0.0.1"), Name: "Grace", Method: "tcp",
	})
	if err != nil {
		return wzhttp.Verdict{}, err
	}
	return wzhttp.ParseVerdict(body)
}

func (l *httpLobby) admitsJoin() error {
	reply, err := l.join()
	if err != nil {
		return err
	}
	if len(reply.Connections) == 0 {
		return errors.New("no address: the player cannot connect")
	}
	v, err := l.verdict(reply.JoinToken)
	if err == nil && !v.Pass {
		err = errors.New("the token that the player got is refused")
	}
	return err
}

func (l *httpLobby) refusesJoin() error {
	reply, err := l.join()
	if err != nil {
		return err
	}
	v, err := l.verdict(changedAt(reply.JoinToken, -1))
	if err == nil && v.Pass {
		err = errors.New("a token that no player got is accepted")
	}
	return err
}

func (l *httpLobby) takesUnknown() error {
	body := check.MustBinary(wzhttp.Create{Room: room(0)})
	body = append(body[:len(body)-1:len(body)-1], `,"newMember":{"a":[1,2]}}`...)
	return l.create(0, body)
}

// refusesBody is a case of a game that is announced with a wrong body.
func refusesBody(body string) func(l *httpLobby) error {
	return func(l *httpLobby) error { return l.refuses(wzhttp.EndpointCreate, "", "", []byte(body)) }
}

func (l *httpLobby) refusesUnknown() error {
	return l.refuses(wzhttp.EndpointPatch, "NoSuchGame", "token", []byte("{}"))
}

func (l *httpLobby) hidesAddresses() error {
	joined, err := l.join()
	if err != nil {
		return err
	}
	r, err := l.talk(l.Query())
	if err != nil {
		return err
	}
	for _, at := range joined.Connections {
		if bytes.Contains(r.body, fmt.Appendf(nil, "%q", at.Host)) {
			return fmt.Errorf("the list has the address %s", at.Host)
		}
	}
	return nil
}

func (l *httpLobby) refusesLarge() error {
	const size = 1 << 20
	r, err := l.talk(requestOf(wzhttp.EndpointCreate, "", "", bytes.Repeat([]byte(" "), size)))
	if errors.Is(err, check.ErrCloses) {
		return nil // it need not read it
	}
	if err == nil && r.status < http.StatusBadRequest {
		err = fmt.Errorf("status %d: the request is accepted", r.status)
	}
	return err
}

func (l *httpLobby) survives() error {
	for range check.Mutations {
		body := l.Mutated(check.MustBinary(wzhttp.Create{Room: room(0)}))
		r, err := l.talk(requestOf(wzhttp.EndpointCreate, "", "", body))
		switch {
		case err != nil:
			return err
		case r.status >= http.StatusInternalServerError:
			return fmt.Errorf("status %d: the lobby fails", r.status)
		case wzhttp.EndpointCreate.Accepts(r.status):
			if created, err := wzhttp.ParseCreated(r.body); err == nil {
				l.games[0] = created
				l.reset()
			}
		}
	}
	_, err := l.list()
	return err
}
