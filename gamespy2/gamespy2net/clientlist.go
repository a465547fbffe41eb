package gamespy2net

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// Limits of a Listing.
const (
	maxListed     = 1 << 16  // servers
	maxListedSize = 32 << 20 // bytes on the wire
)

// List fetches the servers of a game from the master at addr, a host:port for TCP,
// usually with port 28910. It waits up to Timeout for each step and up to 10 times
// that in total, and does not retry.
//
// List queries a master at most every Client.ListEvery, with a random back-off of up to
// 75 s after failures. Until then, calls return the last result or error of the same
// query, and calls with another query wait. Concurrent calls share one connection. Each
// caller gets its own copy of the slice.
//
// The error is a [*MasterError] if the master refuses the query. A list that makes no sense
// may have been encrypted with a key other than the one in the query; the error says so.
func (c *Client) List(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, fmt.Sprintf("%#v", q), c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetchList(ctx, addr, q)
	})
	l.Servers = slices.Clone(l.Servers)
	return l, err
}

func (c *Client) fetchList(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	start := time.Now()
	conn, err := c.dialMaster(ctx, addr, q, 0)
	if err != nil {
		return Listing{}, err
	}
	defer conn.close()
	var servers []sb2.Server
	partial := true
	err = conn.follow(false, func(change Change) bool {
		partial = change.List == nil
		if partial {
			servers = append(servers, change.Server)
		}
		return len(servers) < maxListed && conn.received < maxListedSize
	})
	var malformed *lobbywire.Error
	if err != nil && (len(servers) == 0 || errors.As(err, &malformed)) {
		return Listing{}, err
	}
	reachesMax := q.Max > 0 && uint64(len(servers)) >= uint64(q.Max)
	l, err := conn.listing()
	l.Servers, l.Partial, l.RTT = servers, partial || reachesMax, time.Since(start)
	return l, err
}

// A ListQuery selects the servers that a master lists and the keys that it sends
// for each. Game and Key must be set.
type ListQuery struct {
	Game string // the game whose servers are requested, such as "gmtest"
	Key  string // the secret key of From

	// From is the game with whose Key the list is encrypted; "" means Game.
	From string

	// Filter is the condition, in the language of package filter, that servers must meet.
	// The master evaluates it. "" requests all servers.
	Filter string

	// Fields are the keys that the list contains for each server. Some masters answer only
	// queries with fields.
	Fields sb2.FieldList

	// Options may contain OptionAllFields, OptionGroups and OptionNoCache. Others are
	// ignored.
	Options sb2.RequestOptions

	// Max limits the number of servers; 0 means no limit.
	Max uint32
}

// A Listing is a master's list.
type Listing struct {
	// Servers are in the order of the wire. The master decides which of them have
	// Fields: usually those that clients cannot query; all with
	// sb2.OptionAllFields.
	Servers []sb2.Server

	ClientIP    netip.Addr      // of the client, as the master sees it
	DefaultPort uint16          // the query port of servers without FlagPort
	Options     sb2.GameOptions // of the game

	// Partial reports that the list may contain more servers: the deadline passed, the
	// connection ended or the limit for a list was reached before the list ended, or the
	// list has as many servers as the query allows.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// Addrs returns the addresses of the servers that clients can query, for Scan and
// ScanViews. Servers in the client's own network have their private address.
func (l Listing) Addrs() iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for _, s := range l.Servers {
			if s.Flags&sb2.FlagUnsolicitedUDP != 0 && !yield(l.addr(s)) {
				return
			}
		}
	}
}

// addr returns the address at which the client queries a server.
func (l *Listing) addr(s sb2.Server) netip.AddrPort {
	if s.Flags&sb2.FlagPrivateIP == 0 || s.IP != l.ClientIP {
		return s.AddrPort(l.DefaultPort)
	}
	port := l.DefaultPort
	if s.Flags&sb2.FlagPrivatePort != 0 {
		port = s.PrivatePort
	}
	return netip.AddrPortFrom(s.PrivateIP, port)
}

// Views returns the views of the servers, from their fields in the list.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, s := range l.Servers {
		views[i] = s.View()
	}
	return views
}

// A MasterError is the reason why a master refuses a query.
type MasterError struct {
	Text string // as the master sent it
}

// Error returns the text in quotes.
func (e *MasterError) Error() string {
	return "gamespy2net: the master refuses: " + strconv.QuoteToASCII(e.Text)
}
