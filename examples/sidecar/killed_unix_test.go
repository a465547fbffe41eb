//go:build unix

package main

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A pair is two processes of a test: the sidecar and its game.
type pair struct {
	sidecar, game *process
	url           string // where the game reports
	sqp           string // where queries are answered
}

// startPair starts a sidecar, and a game that reports to it.
func startPair(t *testing.T, flags ...string) *pair {
	t.Helper()
	p := new(pair)
	p.startSidecar(t, append([]string{"-state", free, "-sqp", free}, flags...)...)
	p.game = spawn(t, roleGame, p.url)
	p.sqp = p.sidecar.says(t, "sqp answers queries at ")
	return p
}

func (p *pair) startSidecar(t *testing.T, flags ...string) {
	t.Helper()
	p.sidecar = spawn(t, roleSidecar, flags...)
	p.url = "http://" + p.sidecar.says(t, "the game reports its state at ")
}

// isAnswered reports whether a query is answered.
func (p *pair) isAnswered(t *testing.T) bool {
	_, err := new(sqpnet.Client).Query(t.Context(), p.sqp, sqp.ChunkServerInfo)
	return err == nil
}

// health returns the status code of /healthz, 0 if nobody answers.
func (p *pair) health(t *testing.T) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// A killing is a test that kills the master of a protocol.
type killing struct {
	protocol string
	flags    []string

	// After its return, the master must list the game within these times: if the game
	// changes, and if it does not.
	playing, quiet time.Duration
}

// slack is added to the intervals of the protocols, for the machine.
const slack = 10 * time.Second

func killings() []killing {
	return []killing{
		{"bomberman", nil, 3 * time.Second, 3 * time.Second},
		{"warzone", nil, 10 * time.Second, 10 * time.Second},
		{"wzhttp", nil, 20 * time.Second, 45 * time.Second},
		{"gameagent", []string{"-gameagent", free}, time.Second, 150 * time.Second},
		{"gamespy2", []string{"-gamespy2", free, "-game", gameName, "-game-key", gameKey}, 10 * time.Second, time.Minute},
	}
}

// A master that is killed and returns lists the game again, within the interval of the
// protocol.
func TestKilledMasterListsTheGameAgain(t *testing.T) {
	suite.Long(t, "three minutes")
	for _, k := range killings() {
		t.Run(k.protocol, func(t *testing.T) {
			t.Parallel()
			k.kill(t, k.playing, func(*pair) {})
		})
		t.Run(k.protocol+" quiet", func(t *testing.T) {
			t.Parallel()
			k.flags = append(k.flags, "-stale", "6s") // after which the last changes were reported
			k.kill(t, k.quiet, func(p *pair) {
				p.game.kill()
				p.sidecar.says(t, errStale.Error())
			})
		})
	}
}

// kill kills a master, after the game has been listed, and waits until it lists the game
// again.
func (k killing) kill(t *testing.T, interval time.Duration, whenListed func(*pair)) {
	master := spawn(t, roleMaster, k.protocol, free)
	addr := master.says(t, "")
	at := k.protocol + "=" + addr
	if k.protocol == "wzhttp" {
		at = k.protocol + "=http://" + addr
	}
	p := startPair(t, append([]string{"-register", at}, k.flags...)...)
	is := func() bool { return listed(t.Context(), k.protocol, addr) == 1 }
	eventually(t, "listed", is)
	whenListed(p)
	master.kill()
	if listed(t.Context(), k.protocol, addr) != 0 {
		t.Fatal("a master that is killed lists a game")
	}
	master = spawn(t, roleMaster, k.protocol, addr)
	master.says(t, "")
	back := time.Now()
	within(t, interval+slack, "listed again", is)
	t.Logf("listed %v after the return of the master", time.Since(back).Round(10*time.Millisecond))
	if !p.isAnswered(t) {
		t.Error("queries are not answered")
	}
}

// A sidecar that replaces a killed one answers at the same address and is listed once the
// game has reported again.
func TestKilledSidecarIsReplaced(t *testing.T) {
	master := spawn(t, roleMaster, "bomberman", free)
	addr := master.says(t, "")
	p := startPair(t, "-register", "bomberman="+addr)
	is := func() bool { return listed(t.Context(), "bomberman", addr) == 1 }
	eventually(t, "listed", is)
	p.sidecar.kill()
	eventually(t, "not listed", func() bool { return !is() })
	if p.isAnswered(t) {
		t.Fatal("a sidecar that is killed answers")
	}
	killed := time.Now()
	p.startSidecar(t, "-state", p.url[len("http://"):], "-sqp", p.sqp, "-register", "bomberman="+addr)
	eventually(t, "an answer", func() bool { return p.isAnswered(t) })
	eventually(t, "listed again", is)
	t.Logf("answers and is listed after %v", time.Since(killed).Round(time.Millisecond))
}

// If the game is killed, -on-stale decides.
func TestKilledGameIsStale(t *testing.T) {
	for _, on := range []onStale{keepOn, leaveLists, endSidecar} {
		t.Run(string(on), func(t *testing.T) {
			t.Parallel()
			master := spawn(t, roleMaster, "bomberman", free)
			addr := master.says(t, "")
			is := func() bool { return listed(t.Context(), "bomberman", addr) == 1 }
			p := startPair(t, "-register", "bomberman="+addr, "-stale", "1s", "-on-stale", string(on))
			eventually(t, "listed", is)
			eventually(t, "healthy while the game reports", func() bool { return p.health(t) == http.StatusOK })
			p.game.kill()
			p.sidecar.says(t, errStale.Error())
			if on == endSidecar {
				for range p.sidecar.lines {
				}
				_ = p.sidecar.Wait() // with an error, the exit status
				if code := p.sidecar.ProcessState.ExitCode(); code != exitFailed {
					t.Errorf("exit code %d", code)
				}
				eventually(t, "not listed", func() bool { return !is() })
				return
			}
			eventually(t, "unhealthy after the game has stopped",
				func() bool { return p.health(t) == http.StatusServiceUnavailable })
			if !p.isAnswered(t) {
				t.Error("queries are not answered")
			}
			if on == leaveLists {
				eventually(t, "not listed", func() bool { return !is() })
			} else if !is() {
				t.Error("the game has left the list")
			}
			p.game = spawn(t, roleGame, p.url)
			p.sidecar.says(t, "the game reports again")
			eventually(t, "listed again", is)
		})
	}
}
