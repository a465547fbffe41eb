package masters

import (
	"bufio"
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An httpLobby is a lobby of 4.7, with the games that the running case hosts.
type httpLobby struct {
	*check.Session
	rooms [2]wzhttp.Room
	games [2]wzhttp.Created

	mu  sync.Mutex
	ids map[string]string // of games, by the token that the lobby uses to check them
}

func wzhttpSuite() *check.Suite {
	l := &httpLobby{Session: new(check.Session), ids: map[string]string{}}
	return &check.Suite{
		Protocol: "wzhttp",
		Cases:    check.Cases("wzhttp", l, wzhttpRows()),
		Session:  l.Session,
		Service:  traffic.ServiceOf("wzhttp", traffic.Master),
		Alive:    func() { check.AliveStream(l.Session, l) },
		Reset:    l.reset,
		Sources:  1,
	}
}

// reset removes the games of the last case.
func (l *httpLobby) reset() {
	for server := range l.games {
		if l.games[server].GameID != "" {
			_ = l.Try(func() { l.end(server) }) // the next case has others
		}
		l.games[server] = wzhttp.Created{}
	}
}

// A reply is an answer of HTTP.
type reply struct {
	status int
	body   []byte
}

// requestOf returns the bytes of a request.
func requestOf(e wzhttp.Endpoint, id, token string, body []byte) []byte {
	path, err := e.Path(id)
	if err != nil {
		path = wzhttp.BasePath + "/game/unknown"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: lobby\r\nConnection: close\r\n", e.Method(), path)
	if token != "" {
		fmt.Fprintf(&b, "Authorization: %s\r\n", wzhttp.Authorization(token))
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// parseReply reads an answer. isWhole is false if the end of the connection ends it.
func parseReply(answers []byte) (r reply, isWhole bool, err error) {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answers)), nil)
	if err != nil {
		return r, false, err
	}
	defer answer.Body.Close()
	r.status = answer.StatusCode
	r.body, err = io.ReadAll(answer.Body)
	return r, err == nil && !answer.Close ||
		err == nil && (answer.ContentLength >= 0 || answer.TransferEncoding != nil), err
}

// talk sends a request, and repeats it later if the lobby answers that there were too many.
// It returns the answer.
func (l *httpLobby) talk(request []byte) (r reply) {
	const tries = 10
	for try := range tries {
		r = l.talkOnce(request)
		if r.status != http.StatusTooManyRequests {
			break
		}
		l.Peer.Pause(try)
	}
	return r
}

func (l *httpLobby) talkOnce(request []byte) reply {
	c := l.Dial()
	defer c.Line.Close()
	c.Send(request)
	var answers []byte
	err := l.Try(func() {
		c.Hear(func(heard []byte) bool {
			answers = heard
			return l.IsWhole(heard)
		})
	})
	if !errors.Is(err, check.ErrCloses) || len(answers) == 0 { // the end of the connection may end it
		l.Check(err)
	}
	r, _, err := parseReply(answers)
	l.Check(err)
	return r
}

// do sends a request with a message, which the lobby must accept, and returns the body.
func (l *httpLobby) do(e wzhttp.Endpoint, id, token string, m encoding.BinaryAppender) []byte {
	r := l.ask(e, id, token, m)
	if !e.Accepts(r.status) {
		l.Failf("%w: status %d", check.ErrRefused, r.status)
	}
	return r.body
}

func (l *httpLobby) ask(e wzhttp.Endpoint, id, token string, m encoding.BinaryAppender) reply {
	var body []byte
	if m != nil {
		body = check.MustBinary(m)
	}
	return l.talk(requestOf(e, id, token, body))
}

// refuses fails if a lobby accepts a request, or breaks.
func (l *httpLobby) refuses(e wzhttp.Endpoint, id, token string, body []byte) {
	r := l.talk(requestOf(e, id, token, body))
	switch {
	case e.Accepts(r.status) || r.status < http.StatusBadRequest:
		l.Failf("status %d: the request is accepted", r.status)
	case r.status >= http.StatusInternalServerError:
		l.Failf("status %d: the lobby fails", r.status)
	}
}

// Query returns a list request.
func (l *httpLobby) Query() []byte { return requestOf(wzhttp.EndpointList, "", "", nil) }

// IsWhole reports whether an answer has come.
func (l *httpLobby) IsWhole(answers []byte) bool {
	_, isWhole, err := parseReply(answers)
	return isWhole || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF)
}

// Judge returns an error if the answer to a list request is wrong. A status for too many
// requests is not wrong.
func (l *httpLobby) Judge(answers []byte) error {
	r, _, err := parseReply(answers)
	if err != nil || r.status == http.StatusTooManyRequests {
		return err
	}
	_, err = gamesOf(r)
	return err
}

// gamesOf returns the games of a list. Each line must be valid, and the first is the header.
func gamesOf(r reply) (games []wzhttp.Game, err error) {
	if r.status != http.StatusOK {
		return nil, fmt.Errorf("status %d, want 200", r.status)
	}
	lines := strings.SplitAfter(string(r.body), "\n")
	if lines[len(lines)-1] != "" {
		return nil, fmt.Errorf("the last line has no end: %w", lobbywire.ErrTruncated)
	}
	for i, text := range lines[:len(lines)-1] {
		line, err := wzhttp.ParseLine([]byte(strings.TrimSuffix(text, "\n")))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		game, ok := line.(wzhttp.Game)
		switch {
		case ok:
			games = append(games, game)
		case i > 0:
			return nil, fmt.Errorf("line %d is no game", i+1)
		}
	}
	return games, nil
}

// list returns the list.
func (l *httpLobby) list() []wzhttp.Game {
	games, err := gamesOf(l.talk(l.Query()))
	l.Check(err)
	return games
}

// create announces a new game.
func (l *httpLobby) create(server int) {
	l.rooms[server] = room(server)
	l.createOf(server, check.MustBinary(wzhttp.Create{Room: l.rooms[server]}))
}

func (l *httpLobby) createOf(server int, body []byte) {
	if l.games[server].GameID != "" {
		l.end(server) // a host has one game
	}
	r := l.talk(requestOf(wzhttp.EndpointCreate, "", "", body))
	if !wzhttp.EndpointCreate.Accepts(r.status) {
		l.Failf("%w: status %d", check.ErrRefused, r.status)
	}
	created := check.Parsed(l.Session, wzhttp.Options{Strict: true}.ParseCreated, r.body)
	l.games[server] = created
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids[created.LobbyToken] = created.GameID
}

// room returns a game with a name that no list has yet.
func room(server int) wzhttp.Room {
	return wzhttp.Room{
		Version: "4.7.0", Netcode: wzhttp.Netcode47(), Name: check.NewName(), Host: wzhttp.Player{Name: "Ada"},
		Map: wzhttp.Map{Name: "Harbor"}, Players: wzhttp.Seats{Current: uint32(1 + server), Max: 8},
	}
}

// announce announces the connection of a game. Unless reachable is set, the game does not
// answer the lobby.
func (l *httpLobby) announce(server int, reachable bool) {
	h, ok := l.Peer.(check.Host)
	if !ok {
		l.Fail(check.Skipped("the lobby cannot reach the games of this check"))
	}
	at, err := h.Host(server, check.Answer{IsWhole: isWholeProbe, Reply: l.answerProbe})
	l.Check(err)
	if !reachable {
		l.mu.Lock()
		delete(l.ids, l.games[server].LobbyToken)
		l.mu.Unlock()
	}
	l.status(wzhttp.EndpointConnection, server, wzhttp.Connection{Type: wzhttp.TCP4, Port: at.Port()})
}

// status sends a message of a host that is answered with a status.
func (l *httpLobby) status(e wzhttp.Endpoint, server int, m encoding.BinaryAppender) wzhttp.Status {
	body := l.do(e, l.games[server].GameID, l.games[server].HostToken, m)
	return check.Parsed(l.Session, wzhttp.Options{Strict: true}.ParseStatus, body)
}

func isWholeProbe(probe []byte) bool {
	_, err := wzhttp.ParseProbe(probe)
	return !errors.Is(err, lobbywire.ErrTruncated)
}

// answerProbe answers a lobby that checks a game, with nothing if its token is of no game.
func (l *httpLobby) answerProbe(_, b []byte) []byte {
	probe, _ := wzhttp.ParseProbe(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.ids[probe.LobbyToken]
	if id == "" {
		return []byte{}
	}
	return check.MustBinary(wzhttp.ProbeReply{GameID: id})
}

// The following implement registry.

func (l *httpLobby) register(server int) {
	l.create(server)
	l.announce(server, true)
	l.AwaitList(func() { // as the host, which checks in until it is listed
		if !l.patch(server, wzhttp.Patch{}).Published {
			l.Fail(check.ErrNotListed)
		}
	})
}

func (l *httpLobby) patch(server int, p wzhttp.Patch) wzhttp.Status {
	return l.status(wzhttp.EndpointPatch, server, p)
}

func (l *httpLobby) end(server int) {
	l.do(wzhttp.EndpointDelete, l.games[server].GameID, l.games[server].HostToken, nil)
}

func (l *httpLobby) entries(server int) (n int) {
	for _, g := range l.list() {
		if g.ID == l.games[server].GameID || g.Room.Name == l.rooms[server].Name {
			n++
			l.Check(fuzzharness.Differ(wzhttp.Create{Room: l.rooms[server]}.View(), wzhttp.Create{Room: g.Room}.View()))
		}
	}
	return n
}
