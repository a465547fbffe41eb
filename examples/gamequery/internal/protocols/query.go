package protocols

import (
	"context"
	"iter"
	"net"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
)

// answerOf returns a result of a scan.
func answerOf(r lobbywire.ScanResult, a Settings) output.Answer {
	got := output.Answer{
		Protocol: r.Protocol, Form: r.Form, Query: r.Query, View: r.View, Message: r.Answer, RTT: r.RTT,
		Attempts: r.Attempts, Err: r.Err,
	}
	switch m := r.Answer.(type) {
	case sqp.QueryResponse:
		got.Lacks = missingChunks(a.Chunks & sqp.AllChunks &^ m.Chunks())
	case gamespy2.BasicStat:
		got.Lacks = lacksFullStat
	default:
		got.Lacks = missingPackets(r.Partial)
	}
	return got
}

// Source returns the list of a master or lobby, with the client that queries its servers.
// The query q is for lists of gamespy2.
func (p Protocol) Source(addr string, a Settings, q gamespy2net.ListQuery) lobbywire.Source {
	if p.Scheme != "" {
		addr = WithScheme(addr)
	}
	s := lobbywire.Source{List: lobbywire.List{Lister: p.lister(a, q), Addr: addr}}
	if p.scanner != nil {
		s.Scanner = p.scanner(a)
	}
	return s
}

// form returns the form of the protocol that queries with these settings have, as in
// [lobbywire.ScanResult].
func (p Protocol) form(a Settings) string {
	if p.Name == "gameagent" && a.Ask == formLegacy {
		return formLegacy
	}
	return ""
}

// formLegacy is the older form of gameagent, and its value of -ask.
const formLegacy = "legacy"

// InForm returns settings for queries in a form of the protocol.
func (p Protocol) InForm(form string, a Settings) Settings {
	asks := ScanAsks(p)
	switch {
	case form == formLegacy && slices.Contains(asks, formLegacy):
		a.Ask = formLegacy
	case form == "" && p.form(a) != "":
		a.Ask = asks[0] // of a game, its usual form
	}
	return a
}

// Ask queries the server at a place, and returns its answer.
func (p Protocol) Ask(ctx context.Context, at targets.Place, a Settings) (output.Answer, error) {
	at = p.Ports.Locate(ctx, at, net.DefaultResolver.LookupSRV)
	addresses, err := at.Addresses(ctx)
	if err != nil {
		return output.Answer{Protocol: p.Name, Form: p.form(a), Err: err}, err
	}
	return p.AskAt(ctx, addresses, at.Port, a)
}

// AskAt queries the server at one of several addresses, and returns its answer. The port
// is the user's, or 0.
func (p Protocol) AskAt(ctx context.Context, addresses []netip.Addr, port uint16, a Settings) (output.Answer, error) {
	candidates := p.Ports.Candidates(addresses, port)
	got, query, err := targets.TryInTurn(ctx, candidates,
		func(ctx context.Context, at netip.AddrPort) (output.Answer, error) { return p.Query(ctx, at, a) })
	err = p.advised(err)
	got.Protocol, got.Form, got.Query, got.Err = p.Name, p.form(a), query, err
	if got.View.Port == 0 && err == nil {
		got.View.Port = p.Ports.GamePort(query.Port(), port)
	}
	got.SetGiven(port)
	return got, err
}

// Answers queries the targets of a feed and yields the answers, or the errors instead. A
// target without an answer is queried at its other port, if it has one. If there is no
// answer either, the error is about the first port, or about the port whose answer cannot
// be read. A scan that ends early yields an answer with the error and without a query.
func (p Protocol) Answers(ctx context.Context, a Settings, all *targets.Feed) iter.Seq[output.Answer] {
	return func(yield func(output.Answer) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()                              // ends the feed
		first := map[netip.AddrPort]output.Answer{} // failures, by the other port
		for r := range p.scanner(a).ScanViews(ctx, all.Addrs(ctx)) {
			got := answerOf(r, a)
			got.Err = p.advised(got.Err)
			if got.View.Port == 0 && got.Err == nil {
				got.View.Port = p.Ports.GamePort(got.Query.Port(), 0)
			}
			switch other := all.Done(got.Query, got.Err == nil); {
			case other != 0 && got.Err != nil:
				first[netip.AddrPortFrom(got.Query.Addr(), other)] = got
				continue
			case other != 0:
				got.SetGiven(other)
			}
			earlier, isOther := first[got.Query]
			delete(first, got.Query)
			if isOther && got.Err != nil && !targets.SaysMore(got.Err, earlier.Err) {
				got = earlier
			}
			if !yield(got) {
				return
			}
		}
	}
}

func missingChunks(c sqp.Chunks) string {
	if c == 0 {
		return ""
	}
	return c.String()
}

// missingPackets returns what a partial answer lacks.
func missingPackets(isPartial bool) string {
	if isPartial {
		return output.LacksPackets
	}
	return ""
}
