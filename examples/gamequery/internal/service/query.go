package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
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
	got, err := s.query(ctx, s.Limiter.Client(r), p, key)
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
		s.Limiter.Refuse(w, r, admission.Work)
		return
	}
	bad(w, http.StatusServiceUnavailable, "timeout", plain(err).Error()) // or the client has gone
}

// maxAge lets caches of clients keep an answer as long as s does.
func (s *Service) maxAge() string { return fmt.Sprintf("max-age=%d", int(s.Keep.Seconds())) }

func (s *Service) writeJSON(w http.ResponseWriter, status int, line []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(line) // a client that has gone
}

// knows refuses requests with parameters that are unknown, repeated, or not text.
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
		if !isText(all[0]) {
			bad(w, http.StatusBadRequest, "usage", name+": "+errNoText.Error())
			return false
		}
	}
	return true
}

// maxText is the length of the longest parameter.
const maxText = 1024

var errNoText = fmt.Errorf("want text of at most %d bytes, without control characters", maxText)

// isText reports whether a parameter is text of one line. A master of another protocol could
// read further lines as commands.
func isText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// parseGame reads the parameters of a query, except the address.
func parseGame(values url.Values) (p protocols.Protocol, key queryKey, err error) {
	key.game, key.full = strings.ToLower(values.Get("game")), values.Get("full") == "1"
	p = protocols.Protocol{Name: protocols.Auto}
	if key.game != protocols.Auto {
		p, err = gameNamed(key.game, ", auto")
	}
	switch {
	case err != nil:
		return p, key, err
	case !key.full && values.Get("full") != "" && values.Get("full") != "0":
		return p, key, errors.New("full: want 0 or 1")
	}
	return p, key, nil
}

// gameNamed returns the protocol with queries that a parameter names, or the protocol of a game.
// others is for errors, which mention further values.
func gameNamed(name, others string) (protocols.Protocol, error) {
	want := "want sqp, gamespy2, gameagent" + others + " or a game that /v1/games lists"
	p, ok := protocols.Named(name)
	switch {
	case !ok:
		if absent := protocols.OfAbsent(name); absent != "" {
			return p, errors.New(want + ". " + absent)
		}
		return p, errors.New(didYouMean(want, protocols.Queries().Nearest(name)))
	case p.Query == nil:
		return p, errors.New(want)
	}
	return p, nil
}

// didYouMean adds the nearest names, if there are any, to a message. It must not repeat the name
// from the request.
func didYouMean(message, near string) string {
	if near == "" {
		return message
	}
	return message + "; did you mean " + near + "?"
}

// parsePlace reads an address with one port.
func parsePlace(p protocols.Protocol, address string) (at targets.Place, err error) {
	if !isText(address) {
		return at, fmt.Errorf("address: %w", errNoText)
	}
	at, err = targets.ParsePlace(address)
	switch {
	case err != nil:
	case at.Port == 0 && p.Ports.Query == 0 && p.Name != protocols.Auto:
		err = targets.ErrNoPort
	default:
		err = checkPlace(at)
	}
	for _, c := range p.Ports.Candidates([]netip.Addr{netip.IPv4Unspecified()}, at.Port) {
		if err == nil && lobbywire.IsServicePort(c.Port()) {
			err = reach.ErrPort
		}
	}
	if err != nil {
		return at, fmt.Errorf("address: %w", err)
	}
	at.Host = strings.ToLower(at.Host)
	return at, nil
}

// checkPlace checks whether clients may make the service send to a place. The port may be
// 0.
func checkPlace(at targets.Place) error {
	switch {
	case at.Count > 1:
		return errors.New("want one port")
	case at.Port != 0 && lobbywire.IsServicePort(at.Port):
		return reach.ErrPort
	case len(at.Host) > maxName:
		return errors.New("the name is too long")
	case strings.ContainsAny(at.Host, "@/\\?# "):
		return errors.New("want a name or an IP address as the host")
	}
	return nil
}

// query returns the answer of a server.
func (s *Service) query(ctx context.Context, client netip.Addr, p protocols.Protocol, key queryKey) (result, error) {
	got, from, err := s.queries.get(ctx, key, func(ctx context.Context, into *result) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, queryTime)
		defer cancel()
		answer, err := s.ask(ctx, client, p, key, s.settings(p, key.full))
		if err == nil {
			*into, err = resultOf(answer)
		}
		return len(into.line) + entrySize, err
	})
	s.metrics.served("query", from, err)
	return *got, err
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
	got.line = bytes.Clone(b.Bytes()) // without the room to grow
	return got, err
}

// ask queries a server for a client, within the budget. The error means that nothing is known.
func (s *Service) ask(ctx context.Context, client netip.Addr, p protocols.Protocol, key queryKey,
	a protocols.Settings) (output.Answer, error) {
	ctx, running := s.budget.queries.take(ctx, client, 1)
	if running == nil {
		return output.Answer{}, errBusy
	}
	defer running.release()
	at := p.Ports.Locate(ctx, key.at, s.Guard.LookupSRV)
	var addresses []netip.Addr
	err := checkPlace(at)
	if err == nil {
		addresses, err = s.Guard.Addresses(ctx, at.Host)
	} else {
		err = &usage.Error{Problem: err.Error()}
	}
	if err == nil && len(addresses) > maxAddresses {
		addresses = addresses[:maxAddresses]
	}
	if err != nil {
		s.metrics.asked(p, err)
		return output.Answer{Protocol: p.Name, Err: err}, nil
	}
	if err := s.budget.visit(client, addresses); err != nil {
		return output.Answer{}, err
	}
	var got output.Answer
	if p.Name == protocols.Auto {
		got, _, err = protocols.AskAnyAt(ctx, at, addresses, a, key.full)
	} else {
		got, err = p.AskAt(ctx, addresses, at.Port, a)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return got, context.Cause(ctx) // nobody waits, or others have taken the room
	}
	s.metrics.asked(p, err)
	return got, nil
}

// maxAddresses limits the addresses of a name that are queried.
const maxAddresses = 4
