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
		{"1.1", check.Must, "a list request is answered with status 200 and a list", whList, func(l l) { l.list() }},
		{"1.2", check.Must, "a host that announces a game gets an id and its tokens", whHost, func(l l) { l.create(0) }},
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
			func(l l) { check.AskPieces(l.Session, l, 1, 20, -1) }},
		{"2.2", check.Must, "a client in the middle of a request does not keep others waiting", "HTTP",
			func(l l) { check.AskBesideSlow(l.Session, l, 10) }},
		{"2.3", check.Should, "unknown members of a game are accepted", whHost, l.takesUnknown},
		{"3.1", check.Must, "a game that is no JSON is refused", whHost, refusesBody(`{"name":`)},
		{"3.2", check.Must, "a game without a name is refused", whHost, refusesBody(`{"v":"4.7.0"}`)},
		{"3.3", check.Must, "a change of an unknown game is refused", whHost,
			func(l l) { l.refuses(wzhttp.EndpointPatch, "NoSuchGame", "token", []byte("{}")) }},
		{"3.4", check.Should, "a list has no addresses of hosts", whJoin, l.hidesAddresses},
		{"4.1", check.Must, "a body of 1 MiB is refused", "Warzone 2100 4.7, whose bodies have some KB", l.refusesLarge},
		{"5.1", check.Robust, "broken bodies are refused, and the lobby survives them", whHost, l.survives},
	}
}

func (l *httpLobby) hidesUnreachable() {
	l.create(0)
	l.announce(0, false)
	for try := range 3 {
		l.Peer.Pause(try)
		absent(l, 0)
	}
}

func (l *httpLobby) takesChanges() {
	listed(l, 0)
	before := l.rooms[0].Map.Name
	l.rooms[0].Map.Name, l.rooms[0].Players.Current = "Pier", 5
	status := l.patch(0, wzhttp.Patch{Map: &l.rooms[0].Map, Players: &l.rooms[0].Players})
	if status.GameID != l.games[0].GameID || !status.Published {
		l.Failf("the status is of another game, or says that the game is not listed")
	}
	l.Eventually(func() { l.In(fmt.Sprintf("the map was %q before", before), func() { present(l, 0) }) })
}

func (l *httpLobby) takesKeepAlive() {
	listed(l, 0)
	l.refresh(0)
	present(l, 0)
}

func (l *httpLobby) refresh(server int) { l.patch(server, wzhttp.Patch{}) }

func (l *httpLobby) refusesPatch() {
	listed(l, 0)
	l.refuses(wzhttp.EndpointPatch, l.games[0].GameID, changedAt(l.games[0].HostToken, -1),
		check.MustBinary(wzhttp.Patch{Name: new("Other")}))
	present(l, 0)
}

func (l *httpLobby) refusesDelete() {
	listed(l, 0)
	l.ask(wzhttp.EndpointDelete, l.games[0].GameID, changedAt(l.games[0].HostToken, 0), nil) // the game ignores the answer
	present(l, 0)
}

func (l *httpLobby) givesTwoTokens() {
	l.create(0)
	l.create(1)
	a, b := l.games[0], l.games[1]
	if a.GameID == b.GameID || a.HostToken == b.HostToken || a.LobbyToken == b.LobbyToken {
		l.Failf("both have the same id or token")
	}
}

// join returns the answer to a player who joins the game.
func (l *httpLobby) join() wzhttp.JoinReply {
	listed(l, 0)
	r := l.ask(wzhttp.EndpointJoin, l.games[0].GameID, "", wzhttp.JoinRequest{})
	if refusal, err := wzhttp.ParseError(r.body); r.status != http.StatusOK && err == nil {
		l.Fail(check.Skipped(fmt.Sprintf("the lobby admits no player without more: %q", refusal.Code)))
	}
	if r.status != http.StatusOK {
		l.Failf("status %d", r.status)
	}
	return check.Parsed(l.Session, wzhttp.Options{Strict: true}.ParseJoinReply, r.body)
}

// passes reports whether the lobby accepts the token of a player.
func (l *httpLobby) passes(token string) bool {
	body := l.do(wzhttp.EndpointJoinCheck, l.games[0].GameID, l.games[0].HostToken, wzhttp.JoinCheck{
		JoinToken: token, IP: netip.MustParseAddr("127.0.0.1"), Name: "Grace", Method: "tcp",
	})
	return check.Parsed(l.Session, wzhttp.ParseVerdict, body).Pass
}

func (l *httpLobby) admitsJoin() {
	reply := l.join()
	if len(reply.Connections) == 0 {
		l.Failf("no address: the player cannot connect")
	}
	if !l.passes(reply.JoinToken) {
		l.Failf("the token that the player got is refused")
	}
}

func (l *httpLobby) refusesJoin() {
	if l.passes(changedAt(l.join().JoinToken, -1)) {
		l.Failf("a token that no player got is accepted")
	}
}

func (l *httpLobby) takesUnknown() {
	body := check.MustBinary(wzhttp.Create{Room: room(0)})
	l.createOf(0, append(body[:len(body)-1:len(body)-1], `,"newMember":{"a":[1,2]}}`...))
}

// refusesBody is a case of a game that is announced with a wrong body.
func refusesBody(body string) func(l *httpLobby) {
	return func(l *httpLobby) { l.refuses(wzhttp.EndpointCreate, "", "", []byte(body)) }
}

func (l *httpLobby) hidesAddresses() {
	joined := l.join()
	list := l.talk(l.Query()).body
	for _, at := range joined.Connections {
		if bytes.Contains(list, fmt.Appendf(nil, "%q", at.Host)) {
			l.Failf("the list has the address %s", at.Host)
		}
	}
}

// refusesLarge sends a large body. Lobbies may also close the connection without having read
// it.
func (l *httpLobby) refusesLarge() {
	const size = 1 << 20
	var r reply
	err := l.Try(func() { r = l.talk(requestOf(wzhttp.EndpointCreate, "", "", bytes.Repeat([]byte(" "), size))) })
	if errors.Is(err, check.ErrCloses) {
		return
	}
	l.Check(err)
	if r.status < http.StatusBadRequest {
		l.Failf("status %d: the request is accepted", r.status)
	}
}

func (l *httpLobby) survives() {
	for range check.Mutations {
		r := l.talk(requestOf(wzhttp.EndpointCreate, "", "", l.Mutated(check.MustBinary(wzhttp.Create{Room: room(0)}))))
		if r.status >= http.StatusInternalServerError {
			l.Failf("status %d: the lobby fails", r.status)
		}
		if created, err := wzhttp.ParseCreated(r.body); err == nil && wzhttp.EndpointCreate.Accepts(r.status) {
			l.games[0] = created
			l.reset()
		}
	}
	l.list()
}
