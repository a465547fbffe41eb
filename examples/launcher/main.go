// Launcher is a small server browser: a page on this machine that lists the games
// of masters and lobbies, queries servers, and shows how to join them.
//
// README.md shows how to use it.
package main

import (
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

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

//go:embed page.html
var page []byte

// A launcher gets servers from masters and by queries.
type launcher struct {
	warzone, bomberman, gameAgent string // a lobby and masters, "" for none
	sqpServers, gameSpyServers    string // host:port of query ports, separated by commas

	warzoneClient   warzonenet.Client
	bombermanClient bombermannet.Client
	gameAgentClient gameagentnet.Client
	gameSpyClient   gamespy2net.Client
	sqpClient       sqpnet.Client
}

// A row is a server on the page.
type row struct {
	Protocol string         `json:"protocol"`
	Query    string         `json:"query,omitempty"`
	Join     string         `json:"join,omitempty"` // host:port for players
	RTT      float64        `json:"rtt,omitempty"`  // milliseconds
	View     lobbywire.View `json:"view"`
	Err      string         `json:"error,omitempty"`
}

func main() {
	l := new(launcher)
	addr := flag.String("listen", "127.0.0.1:8090", "address of the page")
	flag.StringVar(&l.warzone, "warzone", "", "lobby of Warzone 2100, host:port or URL")
	flag.StringVar(&l.bomberman, "bomberman", "", "management server of Bomberman, host:port")
	flag.StringVar(&l.gameAgent, "gameagent", "", "master of Serious Sam, host:port")
	flag.StringVar(&l.sqpServers, "sqp", "", "servers to query by SQP, host:port,...")
	flag.StringVar(&l.gameSpyServers, "gamespy2", "", "servers to query by GameSpy, host:port,...")
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

// ServeHTTP serves the page, and the rows as lines of JSON, each when it is known.
func (l *launcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
		w.Write(page)
	case "/servers":
		w.Header().Set("Content-Type", "application/jsonl")
		lines, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
		for row := range l.rows(r.Context()) {
			if lines.Encode(row) != nil || flush() != nil {
				return
			}
		}
	default:
		http.NotFound(w, r)
	}
}

// rows yields the games of the lists, and then the queried servers.
func (l *launcher) rows(ctx context.Context) iter.Seq[row] {
	return func(yield func(row) bool) {
		if l.warzone != "" {
			listing, err := l.warzoneClient.List(ctx, l.warzone)
			if !listed("warzone", l.warzone, listing.Views(), err, yield) {
				return
			}
		}
		if l.bomberman != "" {
			listing, err := l.bombermanClient.List(ctx, l.bomberman)
			if !listed("bomberman", l.bomberman, listing.Views(), err, yield) {
				return
			}
		}
		var sam []netip.AddrPort
		if l.gameAgent != "" {
			listing, err := l.gameAgentClient.List(ctx, l.gameAgent)
			if !listed("gameagent", l.gameAgent, nil, err, yield) {
				return
			}
			for _, game := range listing.Servers {
				if query, err := gameagent.QueryAddr(game); err == nil {
					sam = append(sam, query)
				}
			}
		}
		for r := range lobbywire.ScanAll(ctx,
			lobbywire.Scan{Scanner: &l.gameAgentClient, Targets: slices.Values(sam)},
			lobbywire.Scan{Scanner: &l.gameSpyClient, Targets: targets(ctx, l.gameSpyServers)},
			lobbywire.Scan{Scanner: &l.sqpClient, Targets: targets(ctx, l.sqpServers)},
		) {
			found := row{Protocol: r.Protocol, Query: r.Query.String(), RTT: float64(r.RTT.Microseconds()) / 1000,
				View: r.View}
			if r.Err != nil {
				found.Err = r.Err.Error()
			} else {
				found.Join = r.View.Address(r.Query.Addr().String())
			}
			if !yield(found) {
				return
			}
		}
	}
}

// listed yields the games of a list, or why there is none.
func listed(protocol, addr string, views []lobbywire.View, err error, yield func(row) bool) bool {
	if err != nil {
		return yield(row{Protocol: protocol, Query: addr, Err: err.Error()})
	}
	for _, v := range views {
		if !yield(row{Protocol: protocol, Join: v.Address(""), View: v}) {
			return false
		}
	}
	return true
}

// targets yields the first address of each name. It logs and skips unknown names.
func targets(ctx context.Context, names string) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for name := range strings.SplitSeq(names, ",") {
			if name == "" {
				continue
			}
			addr, err := net.ResolveUDPAddr("udp", name)
			if err != nil {
				log.Print(err)
				continue
			}
			if ctx.Err() != nil || !yield(addr.AddrPort()) {
				return
			}
		}
	}
}
