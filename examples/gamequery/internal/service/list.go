package service

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A listKey identifies a list.
type listKey struct {
	protocol, master  string
	game, key, filter string // for gamespy2
}

// A listing is the lines of a list.
type listing struct {
	lines []byte
	code  string // of the only line, if that is an error
}

// listTime limits the time of a list.
const listTime = 20 * time.Second

func (s *Service) serveList(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	if !s.knows(w, values, "protocol", "master", "game", "key", "filter") {
		return
	}
	p, key, err := parseList(values)
	if err != nil {
		bad(w, http.StatusBadRequest, "usage", err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), listTime)
	defer cancel()
	got, from, err := s.lists.get(ctx, key, func(ctx context.Context) (listing, int, error) {
		ctx, cancel := context.WithTimeout(ctx, listTime)
		defer cancel()
		got, err := s.fetch(ctx, p, key)
		return got, len(got.lines) + entrySize, err
	})
	s.metrics.served("list", from, err)
	switch {
	case err != nil:
		s.fail(w, r, err)
	case got.code == output.ForbiddenCode:
		s.writeJSON(w, http.StatusForbidden, got.lines)
	default:
		w.Header().Set("Content-Type", jsonLines)
		_, _ = w.Write(got.lines) // a client that has gone
	}
}

// jsonLines is the type of an answer with an object on each line.
const jsonLines = "application/x-ndjson"

var (
	errNoMaster = errors.New("protocol: want one with masters: gamespy2, gameagent, bomberman, warzone, wzhttp, " +
		"wztext, wzbinary or wzjson")
	errNoKey = errors.New("gamespy2 needs game and key, and the others have neither")
)

// parseList reads the parameters of a list.
func parseList(values url.Values) (p protocols.Protocol, key listKey, err error) {
	key = listKey{
		protocol: strings.ToLower(values.Get("protocol")), master: values.Get("master"),
		game: values.Get("game"), key: values.Get("key"), filter: values.Get("filter"),
	}
	p, ok := protocols.Named(key.protocol)
	isGameSpy2 := p.Name == "gamespy2"
	switch {
	case !ok || p.Master == nil:
		return p, key, errNoMaster
	case isGameSpy2 != (key.game != "") || isGameSpy2 != (key.key != "") || !isGameSpy2 && key.filter != "":
		return p, key, errNoKey
	}
	key.master, err = p.ListAddress(key.master)
	return p, key, err
}

// fetch fetches a list within the budget. The error means that nothing was requested.
func (s *Service) fetch(ctx context.Context, p protocols.Protocol, key listKey) (listing, error) {
	if err := s.budget.start(); err != nil {
		return listing{}, err
	}
	defer s.budget.end()
	if err := s.visitMaster(ctx, key.master); err != nil {
		if isBusy(err) {
			return listing{}, err
		}
		return listingOf(p, nil, err)
	}
	query := gamespy2net.ListQuery{
		Game: key.game, Key: key.key, Filter: key.filter,
		Fields:  sb2.MakeFieldList("hostname", "gametype", "mapname", "numplayers", "maxplayers"),
		Options: sb2.OptionAllFields,
	}
	l := p.Source(key.master, s.settings(p, false), query).List
	got := l.Lister.ListViews(ctx, l.Addr)
	if errors.Is(ctx.Err(), context.Canceled) {
		return listing{}, ctx.Err() // nobody waits
	}
	s.metrics.asked(p, got.Err)
	if got.Err == nil && got.Partial {
		got.Err = errPartial
	}
	all := make([]output.Answer, len(got.Servers))
	for i, server := range got.Servers {
		all[i] = output.Answer{Protocol: p.Name, Query: server.Query, View: server.View}
		if _, isAddress := server.Entry.(netip.AddrPort); !isAddress {
			all[i].Message = server.Entry
		}
	}
	return listingOf(p, all, got.Err)
}

var errPartial = errors.New("the list has no end: servers may be missing")

// visitMaster counts a request to the addresses of a master. Its socket resolves and checks
// the name itself.
func (s *Service) visitMaster(ctx context.Context, master string) error {
	host := master
	if targets.IsURL(master) {
		u, err := url.Parse(master)
		if err != nil {
			return err
		}
		host = u.Hostname()
	} else if at, err := targets.ParsePlace(master); err == nil {
		host = at.Host
	}
	addresses, err := s.Guard.Addresses(ctx, host)
	if err != nil {
		return err
	}
	return s.budget.visit(addresses)
}

// listingOf returns the lines of servers, and of an error after them.
func listingOf(p protocols.Protocol, all []output.Answer, failed error) (got listing, err error) {
	if failed != nil {
		failed = plain(failed)
		all = append(all, output.Answer{Protocol: p.Name, Err: failed})
		got.code = output.ErrorCode(failed)
	}
	var b bytes.Buffer
	for _, a := range all {
		if err := a.WriteLine(&b); err != nil {
			return listing{}, err
		}
	}
	got.lines = b.Bytes()
	return got, nil
}
