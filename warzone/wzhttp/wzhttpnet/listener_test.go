package wzhttpnet

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// serveLimited serves a lobby within its limits until the test ends, over TLS if there is
// a configuration for it. It returns a function that connects from an address.
func serveLimited(t *testing.T, l *Lobby, serverTLS *tls.Config) (dial func(from string) net.Conn) {
	network := new(nettest.Streams)
	addr := netip.MustParseAddrPort("127.0.0.1:443") // of the certificate
	inner, err := network.Listen(addr)
	fatalIf(t, err)
	server := l.Server(nil)
	server.TLSConfig = serverTLS
	ended := make(chan error, 1)
	go func() {
		if serverTLS == nil {
			ended <- server.Serve(l.Limit(inner))
		} else {
			ended <- server.ServeTLS(l.Limit(inner), "", "")
		}
	}()
	t.Cleanup(func() {
		server.Close()
		<-ended
		l.Close()
	})
	return func(from string) net.Conn {
		c, err := network.DialFrom(netip.MustParseAddr(from))(t.Context(), "tcp", addr.String())
		fatalIf(t, err)
		t.Cleanup(func() { c.Close() })
		synctest.Wait()
		return c
	}
}

// An outcome is what a request over a connection gets.
type outcome struct {
	status int // 0 if the connection is closed without an answer
	open   bool
}

func (want outcome) test(t *testing.T, name string, c net.Conn) {
	t.Helper()
	var got outcome
	c.Write([]byte("GET /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n")) // on error there is no answer
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil {
		got = outcome{r.StatusCode, !r.Close}
	}
	if got != want {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
	if got.status == http.StatusTooManyRequests && r.Header.Get("Retry-After") != "5" {
		t.Errorf("%s: header %v", name, r.Header)
	}
}

// Outcomes of connections.
var (
	staysOpen = outcome{http.StatusOK, true}
	isBrief   = outcome{http.StatusOK, false}
	isRefused = outcome{http.StatusTooManyRequests, false}
	isClosed  = outcome{}
)

// Half of the connections that an address, a prefix or all may have stay open, the others
// get one answer, and those beyond the limits get status 429, also over TLS.
func TestHalfOfTheConnectionsStayOpen(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName = "127.0.0.1"
	for name, config := range map[string]*tls.Config{"plain": nil, "TLS": serverTLS} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dial := serveLimited(t, &Lobby{
					Limits: lobbywire.ConnLimits{MaxConns: 9, MaxPerAddress: 3, MaxPerPrefix: 5},
				}, config)
				order := []struct {
					from string
					want outcome
				}{
					{"198.51.100.1", staysOpen},
					{"198.51.100.1", staysOpen},
					{"198.51.100.1", isBrief},
					{"198.51.100.1", isRefused},
					{"198.51.100.2", staysOpen},
					{"198.51.100.2", isBrief}, // more than half of the prefix
					{"198.51.100.3", isRefused},
					{"198.51.100.3", isClosed}, // an eighth of all connections are refused already
					{"203.0.113.1", staysOpen},
					{"203.0.113.1", staysOpen},
					{"203.0.113.2", isBrief}, // more than half of all
					{"203.0.113.3", isBrief},
					{"192.0.2.1", isClosed},
				}
				var conns []net.Conn
				for _, tt := range order {
					c := dial(tt.from)
					if config != nil {
						c = tls.Client(c, clientTLS)
					}
					conns = append(conns, c)
				}
				for i, tt := range order {
					tt.want.test(t, tt.from, conns[i])
				}
				time.Sleep(time.Second) // net/http waits before it closes a connection
				for _, from := range []string{"198.51.100.1", "192.0.2.1"} {
					c := dial(from)
					if config != nil {
						c = tls.Client(c, clientTLS)
					}
					isBrief.test(t, from+" when others have gone", c)
				}
			})
		})
	}
}

// A connection beyond the limits ends after 10 s, whatever it sends, and its place is free
// again.
func TestLimitEndsRefusedPeers(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName, clientTLS.NextProtos = "127.0.0.1", []string{"h2"}
	for name, first := range map[string]string{"silent": "", "slow": "GET /",
		"a body": "POST /x HTTP/1.1\r\nContent-Length: 9\r\n", "silent over HTTP/2": string(http2Preface())} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config, isTLS := serverTLS, strings.HasSuffix(name, "HTTP/2")
				if !isTLS {
					config = nil
				}
				dial := serveLimited(t, &Lobby{
					Limits: lobbywire.ConnLimits{First: time.Hour, Frame: time.Hour, Idle: time.Hour, MaxPerAddress: 1},
				}, config)
				dial(gamestest.Player4)
				c := dial(gamestest.Player4)
				if isTLS {
					c = tls.Client(c, clientTLS)
				}
				isClosed.test(t, "a third", dial(gamestest.Player4))
				start := time.Now()
				c.Write([]byte(first))
				answer, err := io.ReadAll(c)
				if took := time.Since(start); took != refusedTime || !isTLS && len(answer) > 0 {
					t.Errorf("ended after %v: %q, %v", took, answer, err)
				}
				synctest.Wait()
				c = dial(gamestest.Player4)
				if isTLS {
					c = tls.Client(c, &tls.Config{RootCAs: clientTLS.RootCAs, ServerName: "127.0.0.1"})
				}
				isRefused.test(t, "later", c)
			})
		})
	}
}

// More hosts behind one address than it may have connections all get answers, although
// each keeps its connection open if it can.
func TestHostsOfOneAddressAllGetAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Lobby{NoRates: true}
		dial := serveLimited(t, l, nil)
		var open []net.Conn
		for i := range 3 * 64 {
			c := dial(gamestest.Player4)
			want := isBrief
			if i < 32 {
				want = staysOpen
				open = append(open, c)
			}
			want.test(t, "a host", c)
			time.Sleep(time.Second / 10)
		}
		for _, c := range open {
			staysOpen.test(t, "a host again", c)
		}
	})
}

// Limits may change while a Lobby serves.
func TestLimitsChangeWhileServing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Lobby{Limits: lobbywire.ConnLimits{MaxPerAddress: 1}}
		dial := serveLimited(t, l, nil)
		const from = "198.51.100.1"
		staysOpen.test(t, "the first connection", dial(from))
		isRefused.test(t, "the second", dial(from))
		l.SetLimits(lobbywire.ConnLimits{MaxPerAddress: 4})
		time.Sleep(2 * time.Second)
		staysOpen.test(t, "the third", dial(from))
	})
}
