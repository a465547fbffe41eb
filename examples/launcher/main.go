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
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
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
	ID       int            `json:"id"` // 0 for a list that could not be fetched
	Protocol string         `json:"protocol"`
	Query    string         `json:"query,omitempty"`
	Join     string         `json:"join,omitempty"` // host:port for players
	RTT      float64        `json:"rtt,omitempty"`  // milliseconds
	View     lobbywire.View `json:"view"`
	Err      string         `json:"error,omitempty"`

	Contested bool `json:"contested,omitempty"` // another server claims the same Join
}

func main() {
	l := new(launcher)
	l.gameAgentClient.ViewPlayers = true
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
	if !isOwn(r) {
		http.Error(w, "requests of other sites are refused", http.StatusForbidden)
		return
	}
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

// isOwn reports whether a request can be from the launcher's own page. The page of another
// site reaches the launcher by its address, and then browsers say so, or by a name that
// it points to this machine.
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

// rows yields servers as lists and queries find them. Each has an ID: a row replaces the
// one before with the same ID.
func (l *launcher) rows(ctx context.Context) iter.Seq[row] {
	sources := []lobbywire.Source{
		{Scanner: &l.gameSpyClient, Targets: targets(ctx, l.gameSpyServers)},
		{Scanner: &l.sqpClient, Targets: targets(ctx, l.sqpServers)},
	}
	list := func(addr string, lister lobbywire.Lister, scanner lobbywire.Scanner) {
		if addr != "" {
			sources = append(sources,
				lobbywire.Source{List: lobbywire.List{Lister: lister, Addr: addr}, Scanner: scanner})
		}
	}
	list(l.warzone, &l.warzoneClient, nil)
	list(l.bomberman, &l.bombermanClient, nil)
	list(l.gameAgent, &l.gameAgentClient, &l.gameAgentClient)
	return func(yield func(row) bool) {
		for found := range lobbywire.Browse(ctx, sources...) {
			r := row{ID: found.Number, Protocol: found.Seen[0].Protocol, Join: found.Join, View: found.View}
			r.Contested = found.Contested
			r.RTT = float64(found.RTT.Microseconds()) / 1000
			for _, seen := range found.Seen {
				if seen.Query.IsValid() {
					r.Query = seen.Query.String()
				}
			}
			switch {
			case found.Err != nil:
				r.Query = cmp.Or(r.Query, found.Seen[0].Master)
				r.Err = found.Err.Error()
			case found.LeftOut.Total() > 0:
				r.Query, r.Err = found.Seen[0].Master, found.LeftOut.Error()
			case found.Number == 0:
				continue // the list is complete
			}
			if !yield(r) {
				return
			}
		}
	}
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
