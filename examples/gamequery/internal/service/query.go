package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// A queryKey identifies a query.
type queryKey struct {
	game string // or protocol, in lower case
	at   targets.Place
	full bool
}

// A result is a line of JSON.
type result struct {
	line []byte
	code string // of the error in it, "" if there is none
}

// queryTime limits a query with all its attempts and addresses.
const queryTime = 20 * time.Second

// maxName is the length of the longest name of a host.
const maxName = 253

// minPort is the lowest port that is queried. No game has a lower one, but other services
// do, and some answer everybody.
const minPort = 1024

func (s *Service) serveQuery(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	if !s.knows(w, values, "game", "address", "full") {
		return
	}
	p, key, err := parseGame(values)
	if err == nil {
		key.at, err = parsePlace(p, values.Get("address"))
	}
	if err != nil {
		bad(w, http.StatusBadRequest, "usage", err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), queryTime)
	defer cancel()
	got, err := s.query(ctx, p, key)
	switch {
	case err != nil:
		s.fail(w, r, err)
	case got.code == output.ForbiddenCode:
		s.writeJSON(w, http.StatusForbidden, got.line)
	default:
		w.Header().Set("Cache-Control", s.maxAge())
		s.writeJSON(w, http.StatusOK, got.line)
	}
}

// fail answers a request without a result.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	if isBusy(err) {
		s.Door.Refuse(w, r, admission.Work)
		return
	}
	bad(w, http.StatusServiceUnavailable, "timeout", err.Error()) // or the client has gone
}

// maxAge lets caches of clients keep an answer as long as s does.
func (s *Service) maxAge() string { return fmt.Sprintf("max-age=%d", int(s.Keep.Seconds())) }

func (s *Service) writeJSON(w http.ResponseWriter, status int, line []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(line) // a client that has gone
}

// knows refuses requests with parameters that do not exist, or exist twice.
func (s *Service) knows(w http.ResponseWriter, values url.Values, names ...string) bool {
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for name, all := range values {
		if !known[name] || len(all) > 1 {
			bad(w, http.StatusBadRequest, "usage",
				fmt.Sprintf("the parameters are %s, each once", strings.Join(names, ", ")))
			return false
		}
	}
	return true
}

// parseGame reads the parameters of a query, except the address.
func parseGame(values url.Values) (p protocols.Protocol, key queryKey, err error) {
	key.game, key.full = strings.ToLower(values.Get("game")), values.Get("full") == "1"
	p, ok := protocols.Named(key.game)
	switch {
	case !ok || p.Query == nil:
		return p, key, errNoGame
	case !key.full && values.Get("full") != "" && values.Get("full") != "0":
		return p, key, errors.New("full: want 0 or 1")
	}
	return p, key, nil
}

var errNoGame = errors.New(`want sqp, gamespy2, gameagent or a game that "gamequery games" lists`)

// parsePlace reads an address with one port.
func parsePlace(p protocols.Protocol, address string) (at targets.Place, err error) {
	at, err = targets.ParsePlace(address)
	switch {
	case err != nil:
	case at.Count > 1:
		err = errors.New("want one port")
	case at.Port == 0 && p.Ports.Query == 0:
		err = targets.ErrNoPort
	case at.Port != 0 && at.Port < minPort:
		err = fmt.Errorf("ports below %d are not queried", minPort)
	case len(at.Host) > maxName:
		err = errors.New("the name is too long")
	}
	if err != nil {
		return at, fmt.Errorf("address: %w", err)
	}
	at.Host = strings.ToLower(at.Host)
	return at, nil
}

// query returns the answer of a server.
func (s *Service) query(ctx context.Context, p protocols.Protocol, key queryKey) (result, error) {
	got, from, err := s.queries.get(ctx, key, func(ctx context.Context) (result, int, error) {
		ctx, cancel := context.WithTimeout(ctx, queryTime)
		defer cancel()
		answer, err := s.ask(ctx, p, key, s.settings(p, key.full))
		if err != nil {
			return result{}, 0, err
		}
		got, err := resultOf(answer)
		return got, len(got.line) + entrySize, err
	})
	s.metrics.served("query", from, err)
	return got, err
}

// entrySize is about the size of an entry of a cache without its result.
const entrySize = 512

// resultOf returns the line of an answer.
func resultOf(answer output.Answer) (result, error) {
	var got result
	if answer.Err != nil {
		answer.Err = plain(answer.Err)
		got.code = output.ErrorCode(answer.Err)
	}
	var b bytes.Buffer
	err := answer.WriteLine(&b)
	got.line = b.Bytes()
	return got, err
}

// ask queries a server within the budget. The error means that it was not queried.
func (s *Service) ask(ctx context.Context, p protocols.Protocol, key queryKey,
	a protocols.Settings) (output.Answer, error) {
	if err := s.budget.start(); err != nil {
		return output.Answer{}, err
	}
	defer s.budget.end()
	addresses, err := s.Guard.Addresses(ctx, key.at.Host)
	if err == nil && len(addresses) > maxAddresses {
		addresses = addresses[:maxAddresses]
	}
	if err != nil {
		s.metrics.asked(p, err)
		return output.Answer{Protocol: p.Name, Err: err}, nil
	}
	if err := s.budget.visit(addresses); err != nil {
		return output.Answer{}, err
	}
	got, err := p.AskAt(ctx, addresses, key.at.Port, a)
	if errors.Is(ctx.Err(), context.Canceled) {
		return got, ctx.Err() // nobody waits
	}
	s.metrics.asked(p, err)
	return got, nil
}

// maxAddresses limits the addresses of a name that are queried.
const maxAddresses = 4

// plain returns an error without what is of no use to strangers: the addresses of sockets
// and of the resolver.
func plain(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	dns, ok := errors.AsType[*net.DNSError](err)
	if !ok {
		return err
	}
	nameless := *dns
	nameless.Server = ""
	return &nameless
}
