package masters

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

func toyBomberman() *checktest.Talker {
	s := new(fuzzharness.BombermanServer)
	return &checktest.Talker{Converse: func(_ string, r io.Reader, w io.Writer) error { return s.Converse(r, w) }}
}

func toyWarzone() *checktest.Talker {
	return &checktest.Talker{Converse: new(fuzzharness.WarzoneLobby).Converse}
}

// checkTalker runs the cases of a protocol against a server.
func checkTalker(t *testing.T, protocol string, server func() *checktest.Talker, ids ...string) (r check.Report) {
	synctest.Test(t, func(t *testing.T) {
		r = LobbySuite(protocol).Run(t.Context(), server(), check.Options{Robust: true, Match: ids})
		<-time.After(time.Hour) // until toys have ended
	})
	return r
}

// The right toys pass all cases.
func TestToyLobbiesPass(t *testing.T) {
	checktest.Passes(t, checkTalker(t, "bomberman", toyBomberman))
	checktest.Passes(t, checkTalker(t, "warzone", toyWarzone))
}

// masterFaults are the faults that are planted in masters over UDP.
func masterFaults() (all []checktest.Fault) {
	for _, p := range plantedGameSpyMaster() {
		all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(_ *testing.T, ids ...string) check.Report {
			m := toyGameSpyMaster()
			p.plant(m)
			return m.check(gameSpySuite(toyGame()), ids...)
		}})
	}
	for _, p := range plantedGameAgentMaster() {
		all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(_ *testing.T, ids ...string) check.Report {
			m := toyGameAgentMaster()
			p.plant(m)
			return m.check(gameAgentSuite(Game{}), ids...)
		}})
	}
	return all
}

// lobbyFaults are the faults that are planted in masters over TCP.
func lobbyFaults() (all []checktest.Fault) {
	for _, tt := range []struct {
		protocol string
		toy      func() *checktest.Talker
		streams  []plantedStream
		calls    []plantedCall
	}{
		{"bomberman", toyBomberman, plantedBomberman(), plantedBombermanCalls()},
		{"warzone", toyWarzone, plantedWarzone(), plantedWarzoneCalls()},
	} {
		for _, p := range tt.streams {
			all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(t *testing.T, ids ...string) check.Report {
				return checkTalker(t, tt.protocol, func() *checktest.Talker {
					server := tt.toy()
					server.Change = p.plant
					return server
				}, ids...)
			}})
		}
		for _, p := range tt.calls {
			all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(t *testing.T, ids ...string) check.Report {
				server := func() *checktest.Talker { return p.plant(tt.toy()) }
				return checkTalker(t, tt.protocol, server, ids...)
			}})
		}
	}
	return all
}

// httpFaults are the faults that are planted in our lobby of 4.7.
func httpFaults() (all []checktest.Fault) {
	for _, p := range []struct {
		name, found  string
		method, path string // of the requests, the path ends with it
		token        bool   // which the fault ignores
		old, with    string // in answers
		status       int    // 0 changes nothing
	}{
		{"sends no list", "wzhttp/1.1", "GET", "/games", false, "", "", 500},
		{"does not end lines", "wzhttp/2.1", "GET", "/games", false, "\n", "", 0},
		{"gives no token", "wzhttp/1.2", "POST", "/game", false, "hostToken", "token", 0},
		{"gives one id", "wzhttp/1.10", "POST", "/game", false, `"gameId":"`, `"gameId":"AAAAAAA","old":"`, 0},
		{"lists another map", "wzhttp/1.3", "GET", "/games", false, "Harbor", "Pier 7", 0},
		{"lists no change", "wzhttp/1.5", "GET", "/games", false, `"Pier"`, `"Harbor"`, 0},
		{"answers no empty change", "wzhttp/1.6", "PATCH", "", false, `"published"`, `"listed"`, 0},
		{"admits with another token", "wzhttp/1.11", "POST", "/request-join", false, `"joinToken":"`, `"joinToken":"x`, 0},
		{"has no address", "wzhttp/1.11", "POST", "/request-join", false, `"connections":[`, `"connections":[],"old":[`, 0},
		{"accepts all tokens", "wzhttp/1.12", "POST", "/check-join-request", false, `"pass":false`, `"pass":true`, 0},
		{"fails for broken games", "wzhttp/3.1", "POST", "/game", false, "", "", -500},
		{"accepts games without a name", "wzhttp/3.2", "POST", "/game", false, "", "", -201},
		{"accepts changes of unknown games", "wzhttp/3.3", "PATCH", "", false, "", "", -200},
		{"accepts large bodies", "wzhttp/4.1", "POST", "/game", false, "", "", -201},
		{"fails for broken bodies", "wzhttp/5.1", "POST", "/game", false, "", "", -500},
		{"accepts any change", "wzhttp/1.8", "PATCH", "", false, "", "", -200},
		{"lists addresses", "wzhttp/3.4", "GET", "/games", false, `"conn"`, `"host2":"127.0.0.1","conn"`, 0},
		{"deletes nothing", "wzhttp/1.7", "DELETE", "", false, "", "", 204},
		{"refuses unknown members", "wzhttp/2.3", "newMember", "", false, "", "", 400},
	} {
		all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(t *testing.T, ids ...string) check.Report {
			lobby := &wzhttpnet.Lobby{NoRates: true}
			return checkHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 2<<20)) // what the check sends
				concerns := r.Method == p.method && strings.HasSuffix(r.URL.Path, p.path) ||
					strings.Contains(string(body), p.method)
				if concerns && p.status > 0 {
					w.WriteHeader(p.status)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				right := httptest.NewRecorder()
				lobby.ServeHTTP(right, r)
				text, status := right.Body.String(), right.Code
				if concerns && p.status < 0 && status >= http.StatusBadRequest {
					status = -p.status
				}
				if concerns && p.old != "" {
					text = strings.ReplaceAll(text, p.old, p.with)
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, text) // the check may be gone
			}), check.Options{Robust: true, Match: ids})
		}})
	}
	return all
}

// Each case finds a planted fault.
func TestEachCaseFindsItsFaults(t *testing.T) {
	t.Parallel()
	var cases []check.Case
	for _, protocol := range []string{"gamespy2", "gameagent"} {
		cases = append(cases, Suite(protocol, toyGame()).Cases...)
	}
	for _, protocol := range []string{"bomberman", "warzone", "wzhttp"} {
		cases = append(cases, LobbySuite(protocol).Cases...)
	}
	checktest.Faults(t, slices.Concat(masterFaults(), lobbyFaults(), httpFaults()), cases)
}
