package gamespy2net

import (
	"context"
	"iter"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A ListQuery selects the servers that a master lists and the keys that it sends
// for each. Game and Key must be set.
type ListQuery struct {
	Game string // the game whose servers are requested, such as "gmtest"
	Key  string // the secret key of From

	// From is the game whose Key encrypts the list; "" means Game.
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

	MasterIP    netip.Addr      // the address that the list came from
	ClientIP    netip.Addr      // of the client, as the master sees it
	DefaultPort uint16          // the query port of servers without FlagPort
	Options     sb2.GameOptions // of the game

	// Partial reports that the list may contain more servers: the deadline passed, the
	// connection ended or the limit for a list was reached before the list ended, or the
	// list contains as many servers as the query allows.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// Targets returns the addresses of the servers that clients can query, for Scan and
// ScanViews, as [lobbywire.ListResult.Targets] chooses them. For servers in the client's
// own network, this is the private address, so they are left out if the master is
// elsewhere.
func (l Listing) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], lobbywire.LeftOut) {
	return lobbywire.ListResult{MasterIP: l.MasterIP, Servers: l.listed()}.Targets(ctx)
}

// listed returns the servers in the form that all protocols share.
func (l *Listing) listed() []lobbywire.Listed {
	all := make([]lobbywire.Listed, len(l.Servers))
	for i, s := range l.Servers {
		at := l.Addr(s)
		all[i] = lobbywire.Listed{View: s.View(), Entry: s}
		all[i].View.Host = at.Addr().String()
		if s.Flags&sb2.FlagUnsolicitedUDP != 0 {
			all[i].Query = at
		}
	}
	return all
}

// Addr returns the address at which the client queries a server of the list.
func (l Listing) Addr(s sb2.Server) netip.AddrPort {
	if s.Flags&sb2.FlagPrivateIP == 0 || s.IP != l.ClientIP {
		return s.AddrPort(l.DefaultPort)
	}
	port := l.DefaultPort
	if s.Flags&sb2.FlagPrivatePort != 0 {
		port = s.PrivatePort
	}
	return netip.AddrPortFrom(s.PrivateIP, port)
}

// Views returns the servers in the common form, from their fields in the list.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, s := range l.Servers {
		views[i] = s.View()
	}
	return views
}

// A Change is one step in the iteration of [Client.Subscribe].
type Change struct {
	// Addr is the address to query. It is not valid if List is set. The master may name any
	// address; [lobbywire.ListResult.Targets] selects safe ones of whole lists.
	Addr netip.AddrPort

	// Server is a server of the list, or a new or changed server. It is zero if Removed is
	// set.
	Server  sb2.Server
	Removed bool

	// List is set once, when the list is complete; its Servers are nil. Changes
	// of the list follow.
	List *Listing
}

// A MasterError is the reason of a master for refusing a query.
type MasterError struct {
	Text string // as the master sent it
}

// Error returns the text in quotes.
func (e *MasterError) Error() string {
	return "gamespy2net: the master refuses: " + strconv.QuoteToASCII(e.Text)
}
