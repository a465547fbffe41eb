package wzhttpnet

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzsign"
)

// A scriptedHTTP is an HTTP lobby whose answers a test sets. It logs each request
// with the seconds since its start.
type scriptedHTTP struct {
	network *nettest.Streams
	start   time.Time

	mu     sync.Mutex
	log    []string
	answer func(line string) (status int, body string)
}

// answers of a lobby that lists every game at once.
func willing(line string) (status int, body string) {
	switch {
	case line == "POST /game":
		return 201, `{"gameId":"G7K2Q","hostToken":"secret-1","lobbyToken":"secret-2","motd":"Welcome"}`
	case strings.HasSuffix(line, "/connection"):
		return 202, `{"gameId":"G7K2Q","published":false,"connections":[]}`
	case strings.HasPrefix(line, "PATCH"):
		return 200, `{"gameId":"G7K2Q","published":true,"connections":[{"type":"tcp:ip4","status":"validated"}]}`
	case strings.HasSuffix(line, "/check-join-request"):
		return 200, `{"pass":false,"error":"no"}`
	}
	return 200, `{}`
}

func startScriptedHTTP(t *testing.T, answer func(line string) (int, string)) *scriptedHTTP {
	t.Helper()
	s := &scriptedHTTP{network: new(nettest.Streams), start: time.Now(), answer: answer}
	l, err := s.network.Listen(gamestest.HTTPLobby4)
	fatalIf(t, err)
	server := new(Lobby).Server(s)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return s
}

func (s *scriptedHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	line := r.Method + " " + strings.TrimPrefix(r.URL.String(), "/x/api/v1")
	s.mu.Lock()
	defer s.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "HostToken ")
	s.log = append(s.log, strings.TrimSpace(fmt.Sprintf("%v %s %s %s", time.Since(s.start).Seconds(), line, token,
		body)))
	status, answer := s.answer(line)
	if _, seconds, ok := strings.Cut(answer, "Retry-After: "); ok {
		w.Header().Set("Retry-After", seconds)
	}
	w.WriteHeader(status)
	io.WriteString(w, answer)
}

// want compares the log since the last call.
func (s *scriptedHTTP) want(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := strings.Join(s.log, "\n"); got != strings.Join(want, "\n") {
		t.Fatalf("requests\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	s.log = nil
}

// host returns a host of the lobby with a game.
func (s *scriptedHTTP) host(t *testing.T) *Host {
	t.Helper()
	h := &Host{
		Addr: "http://lobby.example/x/", NoIPv6: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return s.network.DialFrom(netip.MustParseAddr(gamestest.Host4))(ctx, network, gamestest.HTTPLobby4.String())
		},
	}
	fatalIf(t, h.Set(testRoom("One")))
	return h
}

func testRoom(name string) wzhttp.Room {
	return wzhttp.Room{
		Name: name, Host: wzhttp.Player{Name: "Anna"}, Map: wzhttp.Map{Name: "Sk-Rush"}, Players: wzhttp.Seats{Max: 4},
	}
}

const (
	oneCreated = `POST /game  {"v":"4.7.0","netv":[16384,104],"name":"One","host":{"name":"Anna","pk":""},` +
		`"map":["Sk-Rush",""],` +
		`"players":{"cur":0,"max":4},"specs":{"cur":0,"max":0},"ally":0,"lim":0,"joinopts":{"botProt":"block",` +
		`"proxyIps":"blockSus","hostingIps":"block"}}`
	oneConnected = `POST /game/G7K2Q/connection secret-1 {"type":"tcp:ip4","host":"","port":2100}`
	oneKept      = `PATCH /game/G7K2Q secret-1 {}`
)

// The host of a listed game sends a keep-alive after 30 s. It sends changes at least 8 s
// after the last request, and only the members that have changed.
func TestHostSpacesChangesAndKeepsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := startScriptedHTTP(t, willing)
		h := lobby.host(t)
		var answers []HostAnswer
		h.Changed = func(lobbywire.RegistrationStatus) { answers = append(answers, h.Answer()) }
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		lobby.want(t, "0 "+oneCreated, "0 "+oneConnected)
		time.Sleep(62 * time.Second)
		lobby.want(t, "1 "+oneKept, "31 "+oneKept, "61 "+oneKept)
		for i := range 3 { // at 62, 63, 64
			room := testRoom("One")
			room.Players.Current = uint32(i + 1)
			fatalIf(t, h.Set(room))
			time.Sleep(time.Second)
		}
		time.Sleep(10 * time.Second) // to 75
		lobby.want(t, `69 PATCH /game/G7K2Q secret-1 {"players":{"cur":3,"max":4}}`)
		room := testRoom("Two")
		fatalIf(t, h.Set(room))
		time.Sleep(5 * time.Second) // to 80
		lobby.want(t, `77 PATCH /game/G7K2Q secret-1 {"name":"Two","players":{"cur":0,"max":4}}`)
		time.Sleep(27 * time.Second) // to 107
		lobby.want(t, "107 "+oneKept)

		// What a change cannot carry is announced anew.
		room.Private = true
		fatalIf(t, h.Set(room))
		time.Sleep(8 * time.Second)
		lobby.want(t, `115 PATCH /game/G7K2Q secret-1 {"private":true}`)
		room.Private = false
		fatalIf(t, h.Set(room))
		time.Sleep(9 * time.Second)
		two := strings.Replace(oneCreated, "One", "Two", 1)
		lobby.want(t, "123 DELETE /game/G7K2Q secret-1", "123 "+two, "123 "+oneConnected, "124 "+oneKept)

		cancel(ErrStarted)
		if err := <-ended; err != ErrStarted {
			t.Errorf("Run returned %v", err)
		}
		lobby.want(t, "124 DELETE /game/G7K2Q?started=1 secret-1")
		want := []HostAnswer{{GameID: "G7K2Q", MOTD: "Welcome",
			Connections: []wzhttp.ConnectionStatus{{Type: "tcp:ip4", Status: "validated"}}}, {MOTD: "Welcome"}}
		if diff := cmp.Diff(want, answers); diff != "" {
			t.Errorf("answers when listed and at the end (-want +got)\n%s", diff)
		}
		if got, want := h.Stats(), (HostStats{Connects: 2, Sent: 5, Keeps: 5}); got != want {
			t.Errorf("stats %+v, want %+v", got, want)
		}
	})
}

// The host checks in for a game that is not listed yet after 1, 2, 3, 4, 5, 5 seconds.
func TestHostChecksIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := startScriptedHTTP(t, func(line string) (int, string) {
			if strings.HasPrefix(line, "PATCH") {
				return 200, `{"gameId":"G7K2Q","published":false,"connections":[{"type":"tcp:ip4",` +
					`"status":"submitted"}]}`
			}
			return willing(line)
		})
		gamestest.Run(t, lobby.host(t))
		time.Sleep(20 * time.Second)
		lobby.want(t, "0 "+oneCreated, "0 "+oneConnected, "1 "+oneKept, "3 "+oneKept, "6 "+oneKept, "10 "+oneKept,
			"15 "+oneKept, "20 "+oneKept)
	})
}

// After 429 a host waits. It repeats the create twice, after Retry-After within bounds, and
// changes every 5 s until 120 s after the last success.
func TestHostWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusals := 2
		lobby := startScriptedHTTP(t, func(line string) (int, string) {
			switch {
			case line == "POST /game" && refusals > 0:
				refusals--
				return 429, "Retry-After: 8"
			case strings.HasPrefix(line, "PATCH"):
				return 429, `{"code":"RATE_LIMITED"}`
			}
			return willing(line)
		})
		h := lobby.host(t)
		gamestest.Run(t, h)
		time.Sleep(18 * time.Second)
		lobby.want(t, "0 "+oneCreated, "8 "+oneCreated, "18 "+oneCreated, "18 "+oneConnected)
		var want []string
		for at := 19; at <= 18+120+1; at += 5 {
			want = append(want, fmt.Sprintf("%d %s", at, oneKept))
		}
		time.Sleep(121 * time.Second)
		lobby.want(t, append(want, "139 DELETE /game/G7K2Q secret-1")...)
		var refused *Error
		if s := h.Status(); !errors.As(s.Err, &refused) || refused.Status != 429 {
			t.Errorf("status %v", s)
		}
		time.Sleep(8 * time.Second)
		if s := h.Stats(); s.Connects != 2 {
			t.Errorf("the game is not announced again: %+v", s)
		}
	})
}

// If the lobby has lost the game, cannot reach it, or sends an invalid answer, the host
// sends a request to remove the game, and announces it again after a while.
func TestHostIsLost(t *testing.T) {
	for _, tt := range []struct {
		name, patch string
		status      int
		err         string
	}{
		{"not found", `{"code":"GAME_NOT_FOUND","message":"gone"}`, 404,
			`wzhttpnet: the lobby refuses: 404 "GAME_NOT_FOUND" "gone"`},
		{"another text", "no", 500, `wzhttpnet: the lobby refuses: 500 "GENERIC_ERROR"`},
		{"a redirect", "", 302, `wzhttpnet: the lobby refuses: 302 "GENERIC_ERROR"`},
		{"no content", "", 204, `wzhttpnet: the lobby refuses: 204 "GENERIC_ERROR"`},
		{"not accessible", `{"gameId":"G7K2Q","published":false,"connections":[{"type":"tcp:ip4","status":"error"}]}`,
			200, ErrNotAccessible.Error() + " at " + gamestest.Host4 + ":2100"},
		{"nonsense", "{}", 200, "invalid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := startScriptedHTTP(t, func(line string) (int, string) {
					if strings.HasPrefix(line, "PATCH") {
						return tt.status, tt.patch
					}
					return willing(line)
				})
				h := lobby.host(t)
				gamestest.Run(t, h)
				time.Sleep(time.Second)
				lobby.want(t, "0 "+oneCreated, "0 "+oneConnected, "1 "+oneKept, "1 DELETE /game/G7K2Q secret-1")
				if s, a := h.Status(), h.Answer(); s.Err == nil || !strings.Contains(s.Err.Error(), tt.err) || a.GameID != "" {
					t.Errorf("status %v, want error %s, answer %+v", s, tt.err, a)
				}
				time.Sleep(8 * time.Second)
				if s := h.Stats(); s.Connects < 2 || s.Failures == 0 {
					t.Errorf("stats %+v", s)
				}
			})
		})
	}
}

// A host answers only the Probe of its own lobby, with the same bytes as the game.
func TestHostAnswersProbesOfItsLobbyOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := startScriptedHTTP(t, func(line string) (int, string) {
			if line == "POST /game" {
				return 201, `{"gameId":"G7K2Q","hostToken":"secret-1","lobbyToken":"lobbytok"}`
			}
			return willing(line)
		})
		h := lobby.host(t)
		// The example of the facts.
		probe := unhex(t, "0000000000000000"+"00004a0048"+
			"7b226c6f626279546f6b656e223a226c6f626279746f6b222c226368616c6c656e6765223a22"+
			"3031323334353637383961626364656630313233343536373839616263646566227d")
		if got := h.RespondAlive(probe, nil); got != nil {
			t.Errorf("answered %q before there is a game", got)
		}
		gamestest.Run(t, h)
		synctest.Wait()
		want := string(unhex(t, "575a4c52"+"00000002"+"0000000f"+"7b22676964223a2247374b3251227d"))
		if got := string(h.RespondAlive(probe, []byte("x"))); got != "x"+want {
			t.Errorf("answered %q, want %q", got, want)
		}
		for name, req := range map[string][]byte{
			"another token": []byte(strings.Replace(string(probe), "lobbytok", "lobbytoc", 1)),
			"cut":           probe[:len(probe)-1],
			"longer":        append(probe[:len(probe):len(probe)], 0),
			"a player":      unhex(t, "0000400000000068"),
			"nothing":       nil,
		} {
			if got := h.RespondAlive(req, nil); got != nil {
				t.Errorf("%s: answered %q", name, got)
			}
		}
	})
}

// Only the trusted lobby gets signatures, and only over HTTPS.
func TestIdentitySignsForItsLobbyOnly(t *testing.T) {
	key := ed25519.NewKeyFromSeed(unhex(t, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
	i := &Identity{Key: key, Name: "Anna", Trusted: "lobby.example"}
	for addr, want := range map[string]bool{
		"https://lobby.example/x":                    true,
		"https://LOBBY.example:18443/x":              true,
		"https://user@lobby.example":                 true,
		"lobby.example/x":                            true,
		"http://lobby.example/x":                     false,
		"https://lobby.example.org/x":                false,
		"https://evil.example/https://lobby.example": false,
		"https://lobby.example@evil.example/":        false,
		"":                                           false,
	} {
		a, err := i.attest(addr, "G7K2Q")
		if err != nil || (a != nil) != want {
			t.Errorf("%s: %v, %v, want %v", addr, a, err, want)
		}
		if a != nil && (wzsign.VerifyAttestation(*a) != nil || a.GameID != "G7K2Q" || a.Lobby != addr) {
			t.Errorf("%s: %+v: %v", addr, a, wzsign.VerifyAttestation(*a))
		}
	}
	for _, none := range []*Identity{nil, {Key: key}} {
		if a, err := none.attest("https://lobby.example/x", ""); a != nil || err != nil {
			t.Errorf("%+v signs: %v, %v", none, a, err)
		}
	}
}

// A host has its lobby check the tokens of players.
func TestHostAsksItsLobbyToCheckTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := startScriptedHTTP(t, willing)
		h := lobby.host(t)
		m := wzhttp.JoinCheck{JoinToken: "jt-1", IP: netip.MustParseAddr("127.0.0.1"), Name: "Joiner",
			PublicKey: "rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA=", Method: wzhttp.MethodTCP}
		if _, err := h.CheckJoin(t.Context(), m); err != warzonegames.ErrGone {
			t.Errorf("before there is a game: %v", err)
		}
		gamestest.Run(t, h)
		synctest.Wait()
		lobby.want(t, "0 "+oneCreated, "0 "+oneConnected)
		v, err := h.CheckJoin(t.Context(), m)
		if err != nil || v.Pass || v.Error != "no" {
			t.Errorf("%+v, %v", v, err)
		}
		lobby.want(t, `0 POST /game/G7K2Q/check-join-request secret-1 {"joinToken":"jt-1","ip":"127.0.0.1",`+
			`"name":"Joiner","pk":"rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA=","connMethod":"tcp","asSpec":false}`)
	})
}

func TestSetRefusesLongNames(t *testing.T) {
	if err := new(Host).Set(testRoom(strings.Repeat("x", 200))); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("a long name: %v", err)
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	fatalIf(t, err)
	return b
}

// A transport is any http.RoundTripper.
type transport func(r *http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// A host and a player with an http.Client of the caller use both families as the game
// does, unless the client does not let them.
func TestClientOfTheCallerUsesBothFamilies(t *testing.T) {
	for _, tt := range []struct {
		name   string
		client func(n *httpNet) *http.Client
		noIPv6 bool
		conns  string
		player []string
	}{
		{"a Transport", func(n *httpNet) *http.Client {
			return &http.Client{Transport: &http.Transport{DialContext: n.DialBoth}}
		}, false, `["tcp:ip4","tcp:ip6"]`, []string{gamestest.Host6, gamestest.Host4}},
		{"NoIPv6", func(n *httpNet) *http.Client {
			return &http.Client{Transport: &http.Transport{DialContext: n.DialBoth}}
		}, true, `["tcp:ip4"]`, []string{gamestest.Host4}},
		{"another RoundTripper", func(n *httpNet) *http.Client {
			t := &http.Transport{DialContext: n.DialBoth}
			return &http.Client{Transport: transport(t.RoundTrip)}
		}, false, `["tcp:ip4"]`, []string{gamestest.Host4}},
		{"a Dial that takes no context", func(n *httpNet) *http.Client {
			//lint:ignore SA1019 Callers may use it.
			return &http.Client{Transport: &http.Transport{Dial: func(network, addr string) (net.Conn, error) {
				return n.DialBoth(t.Context(), network, addr)
			}}}
		}, false, `["tcp:ip4"]`, []string{gamestest.Host4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, new(Lobby))
				client := tt.client(n)
				t.Cleanup(client.CloseIdleConnections)
				h := &Host{Addr: "http://lobby.example/lobby", HTTP: client, NoIPv6: tt.noIPv6}
				fatalIf(t, h.Set(testRoom("One")))
				n.ServeBoth(h.ServeAlive)
				gamestest.Run(t, h)
				time.Sleep(10 * time.Second)
				if l := n.List(); len(l) != 1 || !strings.HasSuffix(l[0], `"conn":`+tt.conns+"}") {
					t.Fatalf("listed %q", l)
				}
				targets, err := (&Client{HTTP: client}).Join(t.Context(), h.Addr, h.Answer().GameID,
					wzhttp.JoinRequest{})
				var hosts []string
				for _, target := range targets {
					hosts = append(hosts, target.Host)
				}
				if err != nil || !slices.Equal(hosts, tt.player) {
					t.Errorf("the player gets %q, %v, want %q", hosts, err, tt.player)
				}
				h.Close()
			})
		})
	}
}
