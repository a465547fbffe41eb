package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// startNATS starts a separate NATS server, which needs no election.
func startNATS(t *testing.T) *natsserver.Server {
	t.Helper()
	nats, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	nats.Start()
	t.Cleanup(nats.Shutdown)
	if !nats.ReadyForConnections(patience) {
		t.Fatal("NATS does not start")
	}
	return nats
}

// A node that has lost NATS is ready, and reports that it is cut off.
func TestNodeIsReadyWhileCutOff(t *testing.T) {
	t.Parallel()
	nats := startNATS(t)
	l := start(t, append(anywhere(), "-nats", nats.ClientURL(), "-name", "alone")...)
	eventually(t, func() string {
		if got := l.get(t, readyPath+"?cluster"); got != "ready\n" {
			return "with NATS: " + got
		}
		return ""
	})
	nats.Shutdown()
	eventually(t, func() string {
		if got := l.get(t, readyPath); !strings.HasPrefix(got, "ready but cut off from the cluster since 2") {
			return got
		}
		return ""
	})
	eventually(t, func() string { // the requests above count for the limit
		reply, err := http.Get("http://" + l.addr["web"] + readyPath + "?cluster")
		if err != nil {
			return err.Error()
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusServiceUnavailable {
			return "with ?cluster: " + reply.Status
		}
		return ""
	})
}

// A node that has started while NATS is down is ready once it serves, but not ready for its
// cluster.
func TestNodeIsReadyWithoutNATS(t *testing.T) {
	suite.Long(t, firstCopy.String())
	l := start(t, append(anywhere(), "-nats", "nats://"+programtest.UnusedAddr(t), "-name", "alone", "-grace", "1s")...)
	if got := l.get(t, readyPath); !strings.HasPrefix(got, "ready but cut off from the cluster since 2") {
		t.Error(got)
	}
	if got := l.metric(t, "lobbyd_ready"); got != "1" {
		t.Errorf("lobbyd_ready is %s", got)
	}
	game := register(t, l)
	l.wantGameAgent(t, game)
	for query, want := range map[string]int{"": http.StatusOK, "?cluster": http.StatusServiceUnavailable} {
		reply, err := http.Get("http://" + l.addr["web"] + readyPath + query)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != want {
			t.Errorf("%q: %s", query, reply.Status)
		}
	}
}

// Until there are lists, the page and the API wait rather than show empty ones.
func TestRequestsWaitForTheLists(t *testing.T) {
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{time.Second, http.StatusNotFound}, {firstCopy + time.Second, http.StatusServiceUnavailable}} {
		synctest.Test(t, func(t *testing.T) {
			d := newLobbyd(defaults(), io.Discard)
			time.AfterFunc(tt.after, func() { close(d.lists.filled) })
			start := time.Now()
			w := httptest.NewRecorder()
			d.fronts.afterStart(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/servers", nil))
			if took := time.Since(start); w.Code != tt.want || took != min(tt.after, firstCopy) {
				t.Errorf("lists after %v: %d after %v", tt.after, w.Code, took)
			}
			<-d.lists.filled
		})
	}
}
