package wzhttpnet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/forwarded"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// The requests of a real host over both address families, at its intervals.
func TestLobbyServesARealHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{MOTD: "Welcome"})
		withOptions := strings.TrimSuffix(gamestest.Room, "}") +
			`,"joinopts":{"botProt":"block","proxyIps":"blockSus","hostingIps":"block"}}`
		h := n.Create(gamestest.Host4, withOptions)
		if h.MOTD != "Welcome" || h.HostToken == "" || h.LobbyToken == "" || h.HostToken == h.LobbyToken {
			t.Fatalf("created %+v", h)
		}
		n.PlayAt(gamestest.Host4+":2100", &h)
		n.PlayAt("["+gamestest.Host6+"]:2100", &h)
		status := func(published bool, four, six string) string {
			return fmt.Sprintf(`{"gameId":%q,"published":%v,"connections":[{"type":"tcp:ip4","status":%q},`+
				`{"type":"tcp:ip6","status":%q}]}`,
				h.GameID, published, four, six)
		}
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200,
			`{"gameId":"`+h.GameID+`","published":false,"connections":[]}`)
		if len(n.List()) > 0 {
			t.Fatal("listed before the check")
		}
		n.Do(gamestest.Host4, h.Request("POST", "/connection"), `{"type":"tcp:ip4","host":"","port":2100}`).
			Want(t, 202, `{"gameId":"`+h.GameID+`","published":false,"connections":[{"type":"tcp:ip4",`+
				`"status":"submitted"}]}`)
		if r := n.Do(gamestest.Host6, h.Request("POST", "/connection"),
			`{"type":"tcp:ip6","host":"","port":2100}`); r.Status != 202 {
			t.Fatal(r)
		}
		synctest.Wait()
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, status(true, "validated", "validated"))
		line := strings.Replace(gamestest.Room, "{", `{"id":"`+h.GameID+`",`, 1)
		line = strings.TrimSuffix(line, "}") + `,"conn":["tcp:ip4","tcp:ip6"]}`
		wantLines(t, n.List(), line)
		if r := n.Do(gamestest.Player4, "GET /games", ""); r.Header.Get("Content-Type") != "application/jsonl" ||
			!strings.HasPrefix(r.Body, `{"type":"header","motd":"Welcome"}`+"\n") {
			t.Errorf("list %+v", r)
		}

		time.Sleep(30 * time.Second)
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, status(true, "validated", "validated"))
		time.Sleep(8 * time.Second)
		n.Do(gamestest.Host4, h.Request("PATCH", ""), `{"players":{"cur":1,"max":4}}`).Want(t, 200,
			status(true, "validated", "validated"))
		wantLines(t, n.List(), strings.Replace(line, `{"cur":0,"max":4}`, `{"cur":1,"max":4}`, 1))
		if r := n.Do(gamestest.Host4, h.Request("DELETE", "?started=1"), ""); r.Status != 200 {
			t.Error(r)
		}
		wantLines(t, n.List())
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
		want := LobbyStats{Lists: 5, Added: 1, Updated: 2, Removed: 1}
		if got := n.lobby.Stats(); got != want {
			t.Errorf("stats %+v, want %+v", got, want)
		}
	})
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A game is listed only if its host answers the Probe, at the address of the request.
func TestLobbyListsGamesThatAnswerTheProbe(t *testing.T) {
	other := &gamestest.HTTPGame{GameID: "AAAAAAB"}
	for _, tt := range []struct {
		name string
		kind string
		play func(n *httpNet, h *gamestest.HTTPGame)
		want string
	}{
		{"it answers", "tcp:ip4",
			func(n *httpNet, h *gamestest.HTTPGame) { n.PlayAt(gamestest.Host4+":2100", h) }, "validated"},
		{"of any family", "tcp",
			func(n *httpNet, h *gamestest.HTTPGame) { n.PlayAt(gamestest.Host4+":2100", h) }, "validated"},
		{"nobody listens", "tcp:ip4", func(*httpNet, *gamestest.HTTPGame) {}, "error"},
		{"another address", "tcp:ip4",
			func(n *httpNet, h *gamestest.HTTPGame) { n.PlayAt("192.0.2.99:2100", h) }, "error"},
		{"another game", "tcp:ip4", func(n *httpNet, h *gamestest.HTTPGame) {
			other.LobbyToken = h.LobbyToken
			n.PlayAt(gamestest.Host4+":2100", other)
		}, "error"},
		{"another program", "tcp:ip4", func(n *httpNet, h *gamestest.HTTPGame) {
			l, err := n.Network.Listen(netip.MustParseAddrPort(gamestest.Host4 + ":2100"))
			fatalIf(n.T, err)
			n.T.Cleanup(func() { l.Close() })
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
				}
			}()
		}, "error"},
		{"another family than the request", "tcp:ip6",
			func(n *httpNet, h *gamestest.HTTPGame) { n.PlayAt(gamestest.Host4+":2100", h) }, "error"},
		{"not TCP", "gns:ip4",
			func(n *httpNet, h *gamestest.HTTPGame) { n.PlayAt(gamestest.Host4+":2100", h) }, "error"},
		{"silence", "tcp:ip4", func(n *httpNet, h *gamestest.HTTPGame) {
			l, err := n.Network.Listen(netip.MustParseAddrPort(gamestest.Host4 + ":2100"))
			fatalIf(n.T, err)
			n.T.Cleanup(func() { l.Close() })
		}, "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, new(Lobby))
				h := n.Create(gamestest.Host4, gamestest.Room)
				tt.play(n, &h)
				// A host may name any address; only the address of the request counts.
				body := fmt.Sprintf(`{"type":%q,"host":"192.0.2.99","port":2100}`, tt.kind)
				if r := n.Do(gamestest.Host4, h.Request("POST", "/connection"), body); r.Status != 202 {
					t.Fatal(r)
				}
				time.Sleep(checkTimeout)
				synctest.Wait()
				want := fmt.Sprintf(`{"gameId":%q,"published":%v,"connections":[{"type":%q,"status":%q}]}`,
					h.GameID, tt.want == "validated", tt.kind, tt.want)
				n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, want)
				if listed := len(n.List()) > 0; listed != (tt.want == "validated") {
					t.Errorf("listed: %v", listed)
				}
			})
		})
	}
}

// A player gets the public address of a game of the own kind.
func TestPlayersGetPublicAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		public := func(game netip.AddrPort) netip.AddrPort {
			if game.Addr().Is4() {
				return netip.AddrPortFrom(netip.MustParseAddr("203.0.113.7"), game.Port())
			}
			return netip.AddrPortFrom(netip.MustParseAddr("2001:db8::77"), game.Port()+1)
		}
		n := startLobby(t, &Lobby{Games: &warzonegames.Games{Public: public}})
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		n.PlayAt("["+gamestest.Host6+"]:2101", &h)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2101}`)
		synctest.Wait()
		for player, want := range map[string]string{
			gamestest.Player4: `"connections":[{"type":"tcp:ip4","host":"203.0.113.7","port":2100}]`,
			"2001:db8:9::1":   `"connections":[{"type":"tcp:ip6","host":"2001:db8::77","port":2102}]`,
		} {
			r := n.Do(player, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`)
			if !strings.Contains(r.Body, want) {
				t.Errorf("%s: %v", player, r)
			}
		}
	})
}

// A second connection of a type is refused unless the check of the first one has failed.
func TestSecondConnectionOfATypeIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.Create(gamestest.Host4, gamestest.Room)
		connect := func(body string) gamestest.HTTPReply {
			return n.Do(gamestest.Host4, h.Request("POST", "/connection"), body)
		}
		if r := connect(`{"type":"tcp:ip4","host":"","port":2100}`); r.Status != 202 {
			t.Fatal(r)
		}
		synctest.Wait() // nobody listens
		n.PlayAt(gamestest.Host4+":2101", &h)
		if r := connect(`{"type":"tcp:ip4","host":"","port":2101}`); r.Status != 202 {
			t.Fatalf("another attempt after a failure: %+v", r)
		}
		connect(`{"type":"tcp:ip4","host":"","port":2101}`).WantError(t, 409, codeDuplicate)
		synctest.Wait()
		connect(`{"type":"tcp:ip4","host":"","port":2102}`).WantError(t, 409, codeDuplicate)
		connect(`{"type":"udp","host":"","port":2102}`).WantError(t, 406, codeUnsupported)
		connect(`{"type":"tcp:ip4","host":"","port":0}`).WantError(t, 400, codeBadRequest)
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").
			Want(t, 200, `{"gameId":"`+h.GameID+`","published":true,"connections":[{"type":"tcp:ip4",`+
				`"status":"validated"}]}`)

		// An address that comes late is added to the listed game.
		n.PlayAt("["+gamestest.Host6+"]:2101", &h)
		time.Sleep(time.Minute)
		if r := n.Do(gamestest.Host6, h.Request("POST", "/connection"),
			`{"type":"tcp:ip6","host":"","port":2101}`); r.Status != 202 {
			t.Fatal(r)
		}
		synctest.Wait()
		if l := n.List(); !strings.HasSuffix(l[0], `"conn":["tcp:ip4","tcp:ip6"]}`) {
			t.Error(l)
		}
		e, _ := n.games.ForLobbies().Find(netip.MustParseAddrPort(gamestest.Host4 + ":2101"))
		if got := e.Second.String(); got != "["+gamestest.Host6+"]:2101" || !e.Verified {
			t.Errorf("second address %s", got)
		}
	})
}

// Only the token of a game authorizes requests about it.
func TestTokensAuthorizeTheirGameOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		mine, other := n.Publish(gamestest.Host4, 2100, gamestest.Room), n.Publish("198.51.100.8", 2100, gamestest.Room)
		before := n.List()
		flipped := []byte(mine.HostToken)
		flipped[3] ^= 1
		tokens := map[string]string{
			"of another game": other.HostToken,
			"of the lobby":    mine.LobbyToken,
			"none":            "",
			"nonsense":        "x",
			"changed":         string(flipped),
			"cut":             mine.HostToken[:len(mine.HostToken)-1],
			"longer":          mine.HostToken + "A",
		}
		for name, token := range tokens {
			time.Sleep(time.Second) // for the rates
			for _, line := range []string{"POST /connection", "PATCH ", "DELETE ", "POST /check-join-request"} {
				method, path, _ := strings.Cut(line, " ")
				r := n.Do(gamestest.Host4, fmt.Sprintf("%s /game/%s%s %s", method, mine.GameID, path, token), "{}")
				if r.Status != 401 {
					t.Errorf("%s, %s: %+v", name, line, r)
				}
			}
		}
		n.Do(gamestest.Host4, "PATCH /game/BZZZZZZ "+mine.HostToken, "{}").WantError(t, 401, codeUnauthorized)
		n.Do(gamestest.Host4, "PATCH /game/no "+mine.HostToken, "{}").WantError(t, 404, "GAME_NOT_FOUND")
		wantLines(t, n.List(), before...)

		// A token of a game that had the same id before is worth nothing.
		earlier, id := mine, parseGameID(mine.GameID)
		earlier.HostToken = n.lobby.tokens.hostToken(id, newSession(), time.Now())
		for _, line := range []string{"POST /connection", "PATCH ", "DELETE ", "POST /check-join-request"} {
			method, path, _ := strings.Cut(line, " ")
			n.Do(gamestest.Host4, earlier.Request(method, path), "{}").WantError(t, 404, "GAME_NOT_FOUND")
		}
		wantLines(t, n.List(), before...)

		// A token of a game that has ended is worth nothing.
		n.Do(gamestest.Host4, mine.Request("DELETE", ""), "")
		n.Do(gamestest.Host4, mine.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
	})
}

// Games expire 90 s after the last request; games that are not published expire sooner.
func TestLobbyExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		pending := n.Create("198.51.100.8", gamestest.Room)
		for range 3 {
			time.Sleep(89 * time.Second)
			if r := n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}"); r.Status != 200 {
				t.Fatal(r)
			}
		}
		n.Do("198.51.100.8", pending.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
		time.Sleep(91 * time.Second)
		wantLines(t, n.List())
		n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
		if s := n.games.Stats(); s.Announced != 0 {
			t.Errorf("stats %+v", s)
		}
	})
}

// A player gets the address over the family of the request, and a token that the host
// can check.
func TestPlayersGetAddressAndToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		n.PlayAt("["+gamestest.Host6+"]:2100", &h)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2100}`)
		synctest.Wait()
		other := n.Publish("198.51.100.8", 2100, gamestest.Room)
		join := func(from, id, body string) (token string) {
			t.Helper()
			r := n.Do(from, "POST /game/"+id+"/request-join", body)
			connection := `{"type":"tcp:ip4","host":"` + gamestest.Host4 + `","port":2100}`
			if strings.Contains(from, ":") {
				connection = `{"type":"tcp:ip6","host":"` + gamestest.Host6 + `","port":2100}`
			}
			before, after, ok := strings.Cut(r.Body, `"joinToken":"`)
			if r.Status != 200 || !ok || before != `{"connections":[`+connection+`],` {
				t.Fatalf("join: %+v", r)
			}
			return strings.TrimSuffix(after, `"}`)
		}
		check := func(h gamestest.HTTPGame, token, pk string, spectates bool) string {
			t.Helper()
			r := n.Do(gamestest.Host4, h.Request("POST", "/check-join-request"),
				fmt.Sprintf(`{"joinToken":%q,"ip":"203.0.113.5","name":"Joiner","pk":%q,`+
					`"connMethod":"tcp","asSpec":%v}`,
					token, pk, spectates))
			if r.Status != 200 {
				t.Fatal(r)
			}
			return r.Body
		}
		const (
			pass  = `{"pass":true}`
			anna  = "rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA="
			berta = "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="
		)
		token := join(gamestest.Player4, h.GameID, `{"asSpec":false}`)
		six := join("2001:db8:5::5", strings.ToLower(h.GameID), `{"asSpec":false}`)
		if got := check(h, token, anna, false); got != pass {
			t.Errorf("the player's token: %s", got)
		}
		if got := check(h, token, anna, false); got != pass {
			t.Errorf("again, perhaps with another password: %s", got)
		}
		if got := check(h, six, anna, false); got != pass {
			t.Errorf("the token over IPv6: %s", got)
		}
		for name, got := range map[string]string{
			"used by another player": check(h, token, berta, false),
			"of another role":        check(h, join(gamestest.Player4, h.GameID, `{"asSpec":true}`), berta, false),
			"at another game":        check(other, join(gamestest.Player4, h.GameID, `{"asSpec":false}`), berta, false),
			"forged":                 check(h, "jt-1", berta, false),
			"none":                   check(h, "", berta, false),
			"of the host":            check(h, h.HostToken, berta, false),
		} {
			if !strings.HasPrefix(got, `{"pass":false,`) {
				t.Errorf("a token %s: %s", name, got)
			}
		}
		late := join(gamestest.Player4, h.GameID, `{"asSpec":false}`)
		for range 4 {
			time.Sleep(30 * time.Second)
			n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		}
		if got := check(h, late, berta, false); got == pass {
			t.Error("an expired token passes")
		}
		n.Do(gamestest.Player4, "POST /game/BZZZZZZ/request-join", `{"asSpec":false}`).WantError(t, 404,
			"GAME_NOT_FOUND")
	})
}

// A refusal by AdmitJoin reaches the player unchanged.
func TestRefusalOfAdmitJoinReachesThePlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got JoinAttempt
		captcha := []byte(`{"type":"captcha","token":"ct-1","data":{"image":{"type":"png","data":"aGk="}}}`)
		n := startLobby(t, &Lobby{AdmitJoin: func(_ context.Context, a JoinAttempt) *Error {
			got = a
			if a.Request.Captcha != nil && *a.Request.Captcha.Response.Result == "X7Q2" {
				return nil
			}
			return &Error{Status: 403, Code: "CAPTCHA_REQUIRED", Message: "Are you human?", Data: captcha}
		}})
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		n.Do(gamestest.Player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).
			Want(t, 403, `{"code":"CAPTCHA_REQUIRED","message":"Are you human?","data":`+string(captcha)+`}`)
		if got.From.String() != gamestest.Player4 || got.Game.Game.Name != "Grüße from Go" {
			t.Errorf("attempt %+v", got)
		}
		r := n.Do(gamestest.Player4, "POST /game/"+h.GameID+"/request-join",
			`{"asSpec":false,"captcha":{"response":{"result":"X7Q2"},"token":"ct-1"}}`)
		if r.Status != 200 {
			t.Error(r)
		}
		n.lobby.AdmitJoin = func(context.Context, JoinAttempt) *Error { return new(Error) }
		n.Do(gamestest.Player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).Want(t, 403,
			`{"code":"GENERIC_ERROR"}`)
	})
}

// While a lobby is not ready, and after its end, every answer is 429.
func TestLobbyAnswers429UntilReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := false
		n := startLobby(t, &Lobby{Ready: func() bool { return ready }})
		lines := []string{"GET /games", "POST /game", "PATCH /game/BAAAAAA x", "POST /game/BAAAAAA/request-join"}
		wait := func() {
			t.Helper()
			for _, line := range lines {
				n.Do(gamestest.Host4, line, gamestest.Room).WantError(t, 429, "RATE_LIMITED")
			}
		}
		wait()
		ready = true
		n.List()
		n.lobby.Close()
		wait()
	})
}

// Requests beyond the rates are answered with 429; other sources are not affected.
func TestLobbyAnswers429BeyondItsRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		for line, limit := range map[string]int{"GET /games": 8, "POST /game": 8, "PATCH /game/BAAAAAA x": 64,
			"POST /game/BAAAAAA/request-join": 8} {
			passed := 0
			for range 2 * limit {
				if n.Do(gamestest.Host4, line, gamestest.Room).Status != 429 {
					passed++
				}
			}
			if passed != limit {
				t.Errorf("%s: %d requests pass, want %d", line, passed, limit)
			}
			n.Do(gamestest.Host4, line, gamestest.Room).WantError(t, 429, "RATE_LIMITED")
			if n.Do(gamestest.Player4, line, gamestest.Room).Status == 429 {
				t.Errorf("%s: another source has to wait", line)
			}
		}
		// An address to check counts as a game that is announced, since each makes the lobby connect.
		for range 8 {
			n.Do("198.51.100.9", "POST /game", gamestest.Room)
		}
		n.Do("198.51.100.9", "POST /game/BAAAAAA/connection", "").WantError(t, 429, "RATE_LIMITED")
		time.Sleep(time.Second)
		if n.Do(gamestest.Host4, "GET /games", "").Status != 200 {
			t.Error("a source has to wait longer than a second")
		}
		if s := n.lobby.Stats(); s.Limited != 8+8+64+8+5 {
			t.Errorf("stats %+v", s)
		}
	})
}

// A host closes its game once, whatever rate its address has used up. Others cannot.
func TestHostsCloseGamesBeyondTheRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		mine := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		other := n.Publish("198.51.100.8", 2100, gamestest.Room)
		for range 2 * 64 {
			n.Do(gamestest.Host4, mine.Request("PATCH", ""), "")
		}
		n.Do(gamestest.Host4, mine.Request("PATCH", ""), "").WantError(t, 429, "RATE_LIMITED")
		stranger := mine
		stranger.HostToken = other.HostToken
		n.Do(gamestest.Host4, stranger.Request("DELETE", ""), "").WantError(t, 429, "RATE_LIMITED")
		if r := n.Do(gamestest.Host4, mine.Request("DELETE", ""), ""); r.Status != 200 {
			t.Errorf("the host closes its game: %d %s", r.Status, r.Body)
		}
		if got := n.lobby.Stats().Removed; got != 1 {
			t.Errorf("%d games are removed", got)
		}
	})
}

// Bodies that are too long or malformed are refused.
func TestLobbyRefusesMalformedBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		for body, status := range map[string]int{
			"":                                     400,
			"{}":                                   400,
			"[]":                                   400,
			gamestest.Room[:len(gamestest.Room)-1]: 400,
			strings.Replace(gamestest.Room, "Grüße from Go", " ",
				1): 400,
			strings.Replace(gamestest.Room, `"map":["Sk-Rush",""]`, `"map":["Sk-Rush","no hash"]`,
				1): 400,
			strings.Replace(gamestest.Room, "GoTester", strings.Repeat("x", 64<<10),
				1): 413,
			strings.Replace(gamestest.Room, "GoTester", strings.Repeat("x", 30<<10),
				1): 201,
			strings.Replace(gamestest.Room, `"lim":0`,
				`"lim":0,"mods":[`+strings.Repeat(`{"name":"`+strings.Repeat("m", 200)+`","hash":""},`,
					63)+`{"name":"m","hash":""}]`, 1): 400,
		} {
			if r := n.Do(gamestest.Host4, "POST /game", body); r.Status != status {
				t.Errorf("%.60q: %d %s, want %d", body, r.Status, r.Body, status)
			}
			time.Sleep(time.Second)
		}
	})
}

// Other paths and methods are refused.
func TestLobbyRefusesOtherPaths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		for _, line := range []string{"GET /", "GET /game", "POST /games", "PUT /game/BAAAAAA", "GET /game/BAAAAAA",
			"POST /game/BAAAAAA/kick"} {
			n.Do(gamestest.Host4, line, "").WantError(t, 404, codeNotFound)
		}
		if r := n.Do(gamestest.Host4, "HEAD /games", ""); r.Status != 200 || r.Body != "" {
			t.Errorf("HEAD: %+v", r)
		}
	})
}

// A lobby can be mounted in a ServeMux, and users may set its address with a slash at
// the end.
func TestLobbyCanBeMounted(t *testing.T) {
	l := &Lobby{Games: new(warzonegames.Games), MOTD: "Hello"}
	defer l.Close()
	mux := http.NewServeMux()
	mux.Handle("/lobby/", l)
	mux.Handle("/", http.RedirectHandler("/elsewhere", http.StatusFound))
	for path, status := range map[string]int{
		"/lobby/api/v1/games":                      200,
		"/lobby//api/v1/games":                     200,
		"/lobby///api/v1/games":                    200,
		"/lobby//api/v1/game/BAAAAAA/request-join": 404, // of a GET
		"//api/v1/games":                           302, // not below /lobby
		"/other//page":                             307, // by the ServeMux
	} {
		r := httptest.NewRequest("GET", path, nil)
		w := httptest.NewRecorder()
		Handler(mux).ServeHTTP(w, r)
		if w.Code != status || r.URL.Path != path {
			t.Errorf("%s: %d, want %d; the request is now for %s", path, w.Code, status, r.URL)
		}
	}
}

// Behind trusted proxies the client is the last address that is not one of them.
func TestTrustedProxiesNameTheClient(t *testing.T) {
	l := &Lobby{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
	for _, tt := range []struct{ peer, forwarded, want string }{
		{"203.0.113.5:1", "", "203.0.113.5"},
		{"203.0.113.5:1", "198.51.100.7", "203.0.113.5"}, // forged
		{"10.0.0.1:1", "198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:1", "192.0.2.1, 198.51.100.7", "198.51.100.7"}, // the first is the client's word
		{"10.0.0.1:1", "198.51.100.7, 10.0.0.2", "198.51.100.7"},
		{"10.0.0.1:1", "198.51.100.7:4321", "198.51.100.7"},
		{"10.0.0.1:1", "[2001:db8::5]:4321", "2001:db8::5"},
		{"10.0.0.1:1", "[2001:db8::5]", "2001:db8::5"},
		{"[::1]:1", "::ffff:198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:1", "", ""},
		{"10.0.0.1:1", "unknown", ""},
		{"10.0.0.1:1", "198.51.100.7, unknown", ""},
		{"10.0.0.1:1", "10.0.0.2", "10.0.0.2"}, // at another proxy
		{"10.0.0.1:1", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"10.0.0.1:1", "10.0.0.1", "10.0.0.1"}, // on the proxy's own machine
		{"@", "198.51.100.7", ""},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{}}
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		got, ok := forwarded.Client(r, l.TrustedProxies)
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("%s for %q: %v, %v", tt.peer, tt.forwarded, got, ok)
		}
	}
	r := &http.Request{RemoteAddr: "10.0.0.1:1", Header: http.Header{"X-Forwarded-For": {"192.0.2.1", "198.51.100.7"}}}
	if got, _ := forwarded.Client(r, l.TrustedProxies); got.String() != "198.51.100.7" {
		t.Errorf("of two headers: %v", got)
	}
}

// A client has a limited number of requests that are answered at the same time, also
// behind a proxy.
func TestLobbyLimitsAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		l := &Lobby{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix(gamestest.Player4 + "/32")},
			AdmitJoin: func(context.Context, JoinAttempt) *Error {
				<-release
				return nil
			},
		}
		l.Limits.MaxPerAddress = 2
		n := startLobby(t, l)
		e := gamestest.Add(t, n.games, httpGameAt(1))
		join := func(client string) gamestest.HTTPReply {
			return n.DoWith(gamestest.Player4, "POST /game/"+gameIDOf(e.ID)+"/request-join", `{"asSpec":false}`,
				func(r *http.Request) { r.Header.Set("X-Forwarded-For", client) })
		}
		admitted := make(chan int)
		for _, client := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2"} {
			go func() { admitted <- join(client).Status }()
		}
		synctest.Wait()
		if r := join("192.0.2.1"); r.Status != 429 || r.Body != "" || r.Header.Get("Retry-After") == "" {
			t.Errorf("a third request: %+v", r)
		}
		close(release)
		for range 3 {
			if status := <-admitted; status != 200 {
				t.Errorf("answer %d", status)
			}
		}
		if r := join("192.0.2.1"); r.Status != 200 {
			t.Errorf("later: %+v", r)
		}
	})
}

// Start fetches the games of other nodes before the first request, and fails if a text
// does not fit.
func TestLobbyStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		store := b.Add()
		l := &Lobby{Games: &warzonegames.Games{Store: store}, MOTD: strings.Repeat("x", wzhttp.MaxMOTD+1)}
		if err := l.Start(); !errors.Is(err, lobbywire.ErrTooLarge) || store.Watched != 0 {
			t.Errorf("a long MOTD: %v", err)
		}
		if err := l.SetMOTD(l.MOTD); !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("SetMOTD: %v", err)
		}
		l.MOTD = "Hello"
		fatalIf(t, l.Start())
		e := gamestest.Add(t, nodes[0], httpGameAt(1))
		b.Flush()
		if _, ok := l.Games.FindID(e.ID); !ok || store.Watched != 1 {
			t.Error("the game of another node is missing")
		}
		fatalIf(t, l.Close())
		fatalIf(t, l.Close())
	})
}
