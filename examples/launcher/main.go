// Launcher is a small server browser: a page on this machine that lists the games
// of masters and lobbies, queries servers, and shows how to join them.
//
// README.md shows how to use it.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

//go:embed page.html
var page []byte

// A launcher shows the servers of its sources.
type launcher []lobbywire.Source

// A row is a server on the page.
type row struct {
	ID        int            `json:"id"` // 0 for a list that could not be fetched
	Protocol  string         `json:"protocol"`
	Query     string         `json:"query,omitempty"`
	Join      string         `json:"join,omitempty"` // host:port for players
	RTT       float64        `json:"rtt,omitempty"`  // milliseconds
	View      lobbywire.View `json:"view"`
	Err       string         `json:"error,omitempty"`
	Contested bool           `json:"contested,omitempty"` // another server claims the same Join
	Gone      bool           `json:"gone,omitempty"`
}

func main() {
	var l launcher
	lists := func(name, usage string, lister lobbywire.Lister, scanner lobbywire.Scanner) {
		flag.Func(name, usage, func(addr string) error {
			l = append(l, lobbywire.Source{List: lobbywire.List{Lister: lister, Addr: inASCII(addr)}, Scanner: scanner})
			return nil
		})
	}
	queries := func(name, usage string, scanner lobbywire.Scanner) {
		flag.Func(name, usage, func(names string) error {
			for name := range strings.SplitSeq(names, ",") {
				l = append(l, lobbywire.Source{Scanner: inTurn{scanner}, Targets: addresses(name)})
			}
			return nil
		})
	}
	gameAgent := &gameagentnet.Client{ViewPlayers: true}
	addr := flag.String("listen", "127.0.0.1:8090", "address of the page")
	lists("warzone", "lobby of Warzone 2100, host:port or URL", &wzhttpnet.Client{Earlier: new(warzonenet.Client)}, nil)
	lists("bomberman", "management server of Bomberman, host:port", new(bombermannet.Client), nil)
	lists("gameagent", "master of Serious Sam, host:port", gameAgent, gameAgent)
	queries("sqp", "servers to query by SQP, host:port,...", new(sqpnet.Client))
	queries("gamespy2", "servers to query by GameSpy, host:port,...", new(gamespy2net.Client))
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	socket, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{Handler: l, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Printf("the servers are at http://%v\n", socket.Addr())
	if err := server.Serve(socket); ctx.Err() == nil {
		log.Fatal(err)
	}
}

// ServeHTTP serves the page, and the rows as lines of JSON, each when it is known or
// changes.
func (l launcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !isOwn(r):
		http.Error(w, "requests of other sites are refused", http.StatusForbidden)
	case r.URL.Path == "/":
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
		w.Write(page)
	case r.URL.Path == "/servers":
		w.Header().Set("Content-Type", "application/jsonl")
		lines, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
		ctx, leave := context.WithCancel(r.Context())
		defer leave()
		send := func(line row) {
			if lines.Encode(line) != nil || flush() != nil {
				leave()
			}
		}
		browser := lobbywire.Browser{Sources: l, Ended: func(end lobbywire.SourceEnd) { send(endOf(end)) }}
		for found := range browser.Watch(ctx) {
			send(rowOf(found))
		}
	default:
		http.NotFound(w, r)
	}
}

// isOwn reports whether a request can be from the launcher's own page. The page of another
// site can reach the launcher by its address, which browsers report, or by a name that
// points to this machine.
func isOwn(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	_, err = netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil && host != "localhost" {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// rowOf returns a server for the page. It replaces the row before with the same ID.
func rowOf(found lobbywire.Row) row {
	first := found.Seen[0]
	r := row{ID: found.Number, Protocol: first.Protocol, Join: found.Join, View: found.View,
		Contested: found.Contested, Gone: found.Gone}
	if found.Answer != nil {
		r.RTT = float64(found.Answer.RTT.Microseconds()) / 1000
	}
	for _, seen := range found.Seen {
		if seen.Query.IsValid() {
			r.Query = seen.Query.String()
		}
	}
	if found.Err != nil {
		r.Query, r.Err = cmp.Or(r.Query, first.Master), found.Err.Error()
	}
	return r
}

// endOf returns the state of a list for the page. It replaces the row before with the same Query
// and without an ID. If the list is whole, there is no row.
func endOf(end lobbywire.SourceEnd) row {
	r := row{Protocol: end.Protocol, Query: end.Master}
	switch {
	case end.Err != nil:
		r.Err = end.Err.Error()
	case end.Partial && end.LeftOut.Total() > 0:
		r.Err = "the list is not whole: servers may be missing; " + end.LeftOut.String()
	case end.Partial:
		r.Err = "the list is not whole: servers may be missing"
	case end.LeftOut.Total() > 0:
		r.Err = end.LeftOut.String()
	default:
		r.Gone = true
	}
	return r
}

// An inTurn queries one server, which may have several addresses: one after the other, until
// there is an answer.
type inTurn struct{ lobbywire.Scanner }

// ScanViews yields the first answer, or the first error if there is no answer.
func (s inTurn) ScanViews(ctx context.Context, addresses iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		var failed []lobbywire.ScanResult
		for addr := range addresses {
			for r := range s.Scanner.ScanViews(ctx, slices.Values([]netip.AddrPort{addr})) {
				if r.Err == nil {
					yield(r)
					return
				}
				failed = append(failed, r)
			}
		}
		if len(failed) > 0 {
			yield(failed[0])
		}
	}
}

// inASCII returns an address, host:port, with the name in the form of DNS: names may have
// letters of any language.
func inASCII(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	name, other := idna.Lookup.ToASCII(host)
	if err != nil || other != nil {
		return addr
	}
	return net.JoinHostPort(name, port)
}

// addresses yields all addresses of a name, host:port, IPv4 first. It logs why there are
// none.
func addresses(name string) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		if at, err := netip.ParseAddrPort(name); err == nil { // with its zone, which a lookup drops
			yield(at)
			return
		}
		host, service, err := net.SplitHostPort(inASCII(name))
		var port int
		if err == nil {
			port, err = net.LookupPort("udp", service)
		}
		var found []netip.Addr
		if err == nil {
			found, err = net.DefaultResolver.LookupNetIP(context.Background(), "ip", host)
		}
		if err != nil {
			log.Print(err)
		}
		for i := range found {
			found[i] = found[i].Unmap()
		}
		slices.SortFunc(found, netip.Addr.Compare) // resolvers change the order
		for _, addr := range found {
			if !yield(netip.AddrPortFrom(addr, uint16(port))) {
				return
			}
		}
	}
}
