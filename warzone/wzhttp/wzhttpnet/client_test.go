package wzhttpnet

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// client returns a client of a scripted lobby that answers everything alike.
func clientOf(t *testing.T, status int, body string) (*Client, *scriptedHTTP) {
	t.Helper()
	s := startScriptedHTTP(t, func(string) (int, string) { return status, body })
	return &Client{ListEvery: -1, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return s.network.DialFrom(netip.MustParseAddr(gamestest.Player4))(ctx, network, gamestest.HTTPLobby4.String())
	}}, s
}

func TestClientListKeepsReadableGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := clientOf(t, 200, `{"type":"header","motd":"Hello"}`+"\r\n"+
			`{"id":"G7K2Q","v":"4.7.0","netv":[16384,104],"name":"Anna's room","host":{"name":"Anna",`+
			`"pk":"A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="},"map":["Sk-Rush",""],"players":{"cur":1,`+
			`"max":4},"specs":{"cur":0,"max":2},"ally":2,"lim":0,"conn":["tcp:ip4","tcp:ip6"],"new":1}`+"\n"+
			`{"id":"lacks members"}`+"\n"+
			`{"id":"B","v":"x","netv":[1,2],"name":"b","host":{"name":"","pk":""},"map":["",""],"players":{"max":2},`+
			`"conn":[]}`)
		l, err := c.List(t.Context(), "http://lobby.example/x")
		if err != nil {
			t.Fatal(err)
		}
		s.want(t, "0 GET /games")
		if l.Skipped != 1 || l.Partial {
			t.Errorf("listing %+v", l)
		}
		if len(l.Games) != 2 || l.Games[0].ID != "G7K2Q" || l.Games[1].ID != "B" ||
			string(l.Games[0].Extra["new"]) != "1" {
			t.Errorf("games %+v", l.Games)
		}
		if l.Header == nil || l.Header.MOTD != "Hello" {
			t.Errorf("header %+v", l.Header)
		}
	})
}

// A list that ends early or exceeds a limit is Partial, and has the games before.
func TestFaultyListIsPartial(t *testing.T) {
	const game = `{"id":"B","v":"x","netv":[1,2],"name":"b","host":{"name":"","pk":""},"map":["",""],` +
		`"players":{"max":2},"conn":[]}` + "\n"
	for _, tt := range []struct {
		name    string
		status  int
		body    string
		games   int
		partial bool
		err     string
	}{
		{"empty", 200, "", 0, false, ""},
		{"an empty line ends it", 200, game + "\n" + game, 1, true, ""},
		{"no JSON ends it", 200, game + "<html>\n" + game, 1, true, ""},
		{"no JSON ends it, without a line feed", 200, game + "<html>", 1, true, ""},
		{"a line is cut", 200, game + game[:40], 1, true, ""},
		{"as many games as allowed", 200, strings.Repeat(game, 5), 5, false, ""},
		{"too many games", 200, strings.Repeat(game, 6), 5, true, ""},
		{"too many bytes", 200, game + strings.Repeat(`{"x":"`+strings.Repeat("x", 5000)+"\"}\n", 6), 1, true, ""},
		{"a line that is too long", 200, game + `{"x":"` + strings.Repeat("x", 10+(64<<10)) + "\"}\n" + game,
			2, false, ""},
		{"rate limited", 429, `Retry-After: 7`, 0, false, `429 "RATE_LIMITED"`},
		{"refused", 403, `{"code":"NO\u0007","message":"go\naway"}`, 0, false, `403 "NO " "go away"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := clientOf(t, tt.status, tt.body)
				c.Options.MaxList = 5 * maxGameLine
				if len(tt.body) > 64<<10 {
					c.Options.MaxList = 20 * maxGameLine
				}
				l, err := c.List(t.Context(), "http://lobby.example/x")
				if tt.err == "" && (err != nil || len(l.Games) != tt.games || l.Partial != tt.partial) {
					t.Errorf("%+v, %v", l, err)
				}
				if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				var refused *Error
				if errors.As(err, &refused) && refused.Status == 429 && refused.RetryAfter != 7*time.Second {
					t.Errorf("retry after %v", refused.RetryAfter)
				}
			})
		})
	}
}

// A lobby that stops responding ends a List in time.
func TestSilentLobbyEndsListInTime(t *testing.T) {
	for _, tt := range []struct {
		name, sends string
		want        error
	}{
		{"nothing", "", lobbywire.ErrTimeout},
		{"half a header", "HTTP/1.1 200", lobbywire.ErrTruncated},
		{"a header", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", lobbywire.ErrTruncated},
		{"a line", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}\n", lobbywire.ErrTruncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &Client{Dial: func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					go func() {
						there.Read(make([]byte, 4<<10))
						there.Write([]byte(tt.sends))
					}()
					t.Cleanup(func() { there.Close() })
					return here, nil
				}}
				start := time.Now()
				_, err := c.List(t.Context(), "http://lobby.example/x")
				if took := time.Since(start); !errors.Is(err, tt.want) || took > 2*stream.DefaultTimeout {
					t.Errorf("%v after %v", err, took)
				}
			})
		})
	}
}

// What is no lobby is not an empty one.
func TestOtherServersAreNoEmptyLobbies(t *testing.T) {
	for name, answer := range map[string]string{
		"SSH":        "SSH-2.0-OpenSSH_9.6\r\n",
		"TLS":        "\x15\x03\x01\x00\x02\x02\x46",
		"a web page": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>\n<p>Welcome</p>\n",

		"a web page of one line": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html><p>Welcome</p></html>",
		"an object":              "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"games\":[]}\n",
		"an array":               "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[]",
		"wrong chunks":           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
		"wrong gzip":             "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n{\"games\":[]}",
	} {
		for _, scheme := range []string{"http", "https"} {
			if scheme == "https" && name == "TLS" {
				continue // an alert is an answer
			}
			t.Run(name+" at "+scheme, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := &Client{Dial: func(context.Context, string, string) (net.Conn, error) {
						here, there := net.Pipe()
						go func() {
							there.Read(make([]byte, 4<<10))
							there.Write([]byte(answer))
							there.Close()
						}()
						t.Cleanup(func() { there.Close() })
						return here, nil
					}}
					l, err := c.List(t.Context(), scheme+"://lobby.example/x")
					if !errors.Is(err, lobbywire.ErrUnreadable) {
						t.Errorf("%+v, %v", l, err)
					}
				})
			})
		}
	}
}

// A list that breaks off is Partial and has the games before. Without any it fails.
func TestBrokenListIsPartial(t *testing.T) {
	const game = `{"id":"B","v":"x","netv":[1,2],"name":"b","host":{"name":"","pk":""},"map":["",""],` +
		`"players":{"max":2},"conn":[]}` + "\n"
	for _, tt := range []struct {
		name, body string
		closes     bool
		games      int
		err        error
	}{
		{"the lobby falls silent", game + game[:9], false, 1, nil},
		{"the lobby hangs up", game + game[:9], true, 1, nil},
		{"the lobby falls silent within the first game", game[:9], false, 0, lobbywire.ErrTruncated},
		{"the lobby hangs up within the first game", game[:9], true, 0, io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &Client{Dial: func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					go func() {
						there.Read(make([]byte, 4<<10))
						there.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + tt.body))
						if tt.closes {
							there.Close()
						}
					}()
					t.Cleanup(func() { there.Close() })
					return here, nil
				}}
				l, err := c.List(t.Context(), "http://lobby.example/x")
				if len(l.Games) != tt.games || l.Partial != (tt.games > 0) || !errors.Is(err, tt.err) {
					t.Errorf("%d games, partial %v, %v", len(l.Games), l.Partial, err)
				}
			})
		})
	}
}

// A request ends even if the lobby sends without end, or slowly.
func TestEndlessAnswersEnd(t *testing.T) {
	slowly := 4 * time.Second
	for _, tt := range []struct {
		name, head, part string
		pause, took      time.Duration
		refused          bool
	}{
		{"a refusal", "HTTP/1.1 500 No\r\n\r\n", strings.Repeat("x", 1000), 0, 0, true},
		{"an answer", "HTTP/1.1 200 OK\r\n\r\n", strings.Repeat(" ", 1000), 0, 0, false},
		{"a slow refusal", "HTTP/1.1 500 No\r\n\r\n", "x", slowly, stream.Whole * stream.DefaultTimeout, false},
		{"a slow answer", "HTTP/1.1 200 OK\r\n\r\n", " ", slowly, stream.Whole * stream.DefaultTimeout, false},
		{"a slow header", "HTTP/1.1 200 OK\r\n", "X: y\r\n", slowly, stream.Whole * stream.DefaultTimeout, false},
		{"a long header", "HTTP/1.1 200 OK\r\n", "X: y\r\n", 0, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dial := func(_ context.Context, network, _ string) (net.Conn, error) {
					if network == overIPv6 {
						return nil, net.UnknownNetworkError(network)
					}
					here, there := net.Pipe()
					go func() {
						defer there.Close()
						there.Read(make([]byte, 4<<10))
						for text := tt.head; ; text = tt.part {
							if _, err := there.Write([]byte(text)); err != nil {
								return
							}
							time.Sleep(tt.pause)
						}
					}()
					return here, nil
				}
				start := time.Now()
				_, err := (&Client{Dial: dial}).Join(t.Context(), "http://lobby.example/x", "G7K2Q",
					wzhttp.JoinRequest{})
				var refused *Error
				if took := time.Since(start); err == nil || errors.As(err, &refused) != tt.refused || took > tt.took {
					t.Errorf("%v after %v", err, took)
				}
				time.Sleep(slowly) // the other side ends
			})
		})
	}
}

// Join sends a request over each address family; each answer has its own token.
func TestClientJoinsOverBothFamilies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		n.PlayAt("["+gamestest.Host6+"]:2100", &h)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2100}`)
		synctest.Wait()
		both := &Client{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			from := gamestest.Player4
			if network == overIPv6 {
				from = "2001:db8:5::5"
			}
			return n.DialFrom(from)(ctx, network, addr)
		}}
		targets, err := both.Join(t.Context(), "http://lobby.example/lobby", h.GameID, wzhttp.JoinRequest{})
		if err != nil || len(targets) != 2 || targets[0].Host != gamestest.Host6 ||
			targets[1].Host != gamestest.Host4 || targets[0].Token == targets[1].Token || targets[0].Port != 2100 {
			t.Errorf("%+v, %v", targets, err)
		}
		only4 := &Client{Dial: n.DialFrom(gamestest.Player4)}
		targets, err = only4.Join(t.Context(), "http://lobby.example/lobby", h.GameID,
			wzhttp.JoinRequest{Spectate: true})
		if err != nil || len(targets) != 1 || targets[0].Host != gamestest.Host4 {
			t.Errorf("over IPv4: %+v, %v", targets, err)
		}
		_, err = both.Join(t.Context(), "http://lobby.example/lobby", "BAAAAAA", wzhttp.JoinRequest{})
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != wzhttp.CodeGameNotFound {
			t.Errorf("no game: %v", err)
		}
		if _, err := both.Join(t.Context(), "http://lobby.example/lobby", h.GameID,
			wzhttp.JoinRequest{Attestation: new(wzhttp.Attestation)}); err != errAttested {
			t.Errorf("signed by the caller: %v", err)
		}
		if _, err := both.Join(t.Context(), "http://lobby.example/lobby", "../x", wzhttp.JoinRequest{}); !errors.Is(err,
			lobbywire.ErrInvalid) {
			t.Errorf("no id: %v", err)
		}
	})
}

// If the context of the caller ends, List and Join return its cause.
func TestClientReturnsTheCauseOfItsContext(t *testing.T) {
	silent := &Client{Dial: func(context.Context, string, string) (net.Conn, error) {
		here, _ := net.Pipe()
		return here, nil
	}}
	for name, call := range map[string]func(ctx context.Context) error{
		"List": func(ctx context.Context) error {
			_, err := silent.List(ctx, "http://lobby.example/x")
			return err
		},
		"Join": func(ctx context.Context) error {
			_, err := silent.Join(ctx, "http://lobby.example/x", "B", wzhttp.JoinRequest{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				late, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := call(late); err != context.DeadlineExceeded {
					t.Errorf("after the deadline: %v", err)
				}
				why := errors.New("why")
				ctx, end := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { end(why) })
				if err := call(ctx); err != why {
					t.Errorf("canceled: %v", err)
				}
			})
		})
	}
}

func TestRetryAfterIsAtMostADay(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"":                              0,
		"x":                             0,
		"-1":                            0,
		"0":                             0,
		"7":                             7 * time.Second,
		"86401":                         24 * time.Hour,
		"18446744073":                   24 * time.Hour,
		"99999999999999999999999":       24 * time.Hour,
		"Wed, 21 Oct 2026 07:28:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Hosts and clients work over sockets with HTTP, HTTPS and HTTP/2, through an http.Client
// of the caller.
func TestWorksWithAllHTTPVersions(t *testing.T) {
	l := &Lobby{Games: new(warzonegames.Games), MOTD: "Hello", NoVerify: true}
	defer l.Close()
	var proto atomic.Value // of the last request
	connected := make(chan struct{}, 3)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proto.Store(r.Proto)
		l.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "/connection") {
			connected <- struct{}{}
		}
	})
	serverTLS, clientTLS := nettest.Certificate()
	for _, want := range []string{"http HTTP/1.1", "https HTTP/1.1", "https HTTP/2.0"} {
		t.Run(want, func(t *testing.T) {
			scheme, version, _ := strings.Cut(want, " ")
			s := httptest.NewUnstartedServer(nil)
			s.Config = l.Server(handler)
			s.TLS, s.EnableHTTP2 = serverTLS.Clone(), version == "HTTP/2.0"
			if scheme == "https" {
				s.StartTLS()
			} else {
				s.Start()
			}
			defer s.Close()
			custom := &http.Client{Transport: &http.Transport{TLSClientConfig: clientTLS.Clone(),
				ForceAttemptHTTP2: true}}
			addr := s.URL + "/any/prefix"
			h := &Host{Addr: addr, HTTP: custom}
			fatalIf(t, h.Set(testRoom(want)))
			gamestest.Run(t, h)
			<-connected
			// The host would check in after a second.
			b, err := h.call(anyFamily, wzhttp.EndpointPatch, wzhttp.Patch{}).message(t.Context())
			fatalIf(t, err)
			if status, err := wzhttp.ParseStatus(b); err != nil || !status.Published {
				t.Fatalf("patch: %s, %v", b, err)
			}
			c := &Client{ListEvery: -1, HTTP: custom}
			listing, err := c.List(t.Context(), addr)
			if err != nil || len(listing.Games) != 1 || listing.Games[0].Room.Name != want || proto.Load() != version {
				t.Fatalf("%+v, %v over %s", listing, err, proto.Load())
			}
			targets, err := c.Join(t.Context(), addr, listing.Games[0].ID, wzhttp.JoinRequest{})
			if err != nil || len(targets) != 1 || targets[0].Host != "127.0.0.1" {
				t.Fatalf("join: %+v, %v", targets, err)
			}
			v, err := h.CheckJoin(t.Context(),
				wzhttp.JoinCheck{JoinToken: targets[0].Token, IP: netip.MustParseAddr("127.0.0.1"), Name: "Joiner",
					Method: "tcp"})
			if err != nil || !v.Pass {
				t.Fatalf("check: %+v, %v", v, err)
			}
			h.Close()
			if got := l.Games.Stats().Listed; got != 0 {
				t.Errorf("%d games after the end", got)
			}
		})
	}
	if _, err := new(Client).List(t.Context(), "https://me:secret@"+nettest.ClosedTCP(t)+"/x"); !errors.Is(err,
		syscall.ECONNREFUSED) || strings.Contains(err.Error(), "me") {
		t.Errorf("a lobby that is down: %v", err)
	}
}
