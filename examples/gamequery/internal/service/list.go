package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
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

// size returns about the size of the key in a cache.
func (k listKey) size() int {
	return len(k.protocol) + len(k.master) + len(k.game) + len(k.key) + len(k.filter)
}

// Limits of a list.
const (
	listTime     = 20 * time.Second // to fetch it
	listReadTime = 15 * time.Second // for the client to read the rest
	maxListRead  = 256 << 10        // bytes from the master
	maxListed    = 8192             // servers
	maxLines     = 2 << 20          // bytes of lines
	maxEntryText = 64 << 10         // bytes of the texts of a server
)

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
	client := s.Limiter.Client(r)
	ctx, cancel := context.WithTimeout(r.Context(), listTime+listReadTime)
	defer cancel()
	ctx, claim := s.budget.lists.take(ctx, client, 1)
	if claim == nil {
		s.fail(w, r, errBusy)
		return
	}
	defer claim.release()
	out := &listWriter{ResponseWriter: w, to: http.NewResponseController(w)}
	defer out.end()
	for {
		e, from := s.lists.enter(ctx, key, func(ctx context.Context, into *listing) (int, error) {
			defer into.end()
			ctx, cancel := context.WithTimeout(ctx, listTime)
			defer cancel()
			err := s.fetch(ctx, client, p, key, into)
			return into.size + key.size() + entrySize, err
		})
		stop := e.value.follow(claim)
		err, elsewhere := out.copy(ctx, &e.value), false
		if err == nil && !out.begun {
			<-e.ready
			err, elsewhere = e.err, from == joined && isBusy(e.err)
		}
		stop()
		s.lists.leave(e)
		if elsewhere {
			continue // another request had no room for the list
		}
		s.metrics.served("list", from, err)
		if err == nil && !out.begun {
			out.begin(ctx, "") // an empty list
		}
		if err != nil {
			s.failList(out, r, p, err)
		}
		return
	}
}

// failList ends an answer that is not whole.
func (s *Service) failList(out *listWriter, r *http.Request, p protocols.Protocol, err error) {
	if !out.begun {
		s.fail(out.ResponseWriter, r, err)
		return
	}
	_, _ = out.Write(errorLine(p, "", err)) // to a client that may have gone
}

// jsonLines is the type of an answer with an object on each line.
const jsonLines = "application/x-ndjson"

// A listWriter sends lines of a list to a client as they arrive.
type listWriter struct {
	http.ResponseWriter
	to    *http.ResponseController
	begun bool
	stop  func() bool // the effect of the context
}

// begin writes the header. code is the error code of a list that consists of one error. Once ctx
// is done, writing fails, so a client that stops reading occupies nothing.
func (l *listWriter) begin(ctx context.Context, code string) {
	l.begun = true
	l.stop = context.AfterFunc(ctx, func() { _ = l.to.SetWriteDeadline(time.Now()) }) // if it has deadlines
	if code == output.ForbiddenCode {
		l.Header().Set("Content-Type", "application/json")
		l.WriteHeader(http.StatusForbidden)
		return
	}
	l.Header().Set("Content-Type", jsonLines)
}

// end ends the effect of the context.
func (l *listWriter) end() {
	if l.begun {
		l.stop()
	}
}

// copy writes the lines of a list until its end.
func (l *listWriter) copy(ctx context.Context, from *listing) error {
	var at position
	for ctx.Err() == nil {
		lines, more := from.next(&at)
		switch {
		case lines != nil:
			if !l.begun {
				l.begin(ctx, from.onlyCode())
			}
			if _, err := l.Write(lines); err != nil {
				return err
			}
			if err := l.to.Flush(); err != nil {
				return err
			}
		case more == nil:
			return nil
		default:
			select {
			case <-more:
			case <-ctx.Done():
			}
		}
	}
	return context.Cause(ctx)
}

const wantMaster = "protocol: want one with masters: gamespy2, gameagent, bomberman, warzone, wzhttp, wztext, " +
	"wzbinary or wzjson"

var errNoKey = errors.New("gamespy2 needs game and key, and the others have neither")

// parseList reads the parameters of a list.
func parseList(values url.Values) (p protocols.Protocol, key listKey, err error) {
	key = listKey{
		protocol: strings.ToLower(values.Get("protocol")), master: values.Get("master"),
		game: values.Get("game"), key: values.Get("key"), filter: values.Get("filter"),
	}
	p, ok := protocols.Named(key.protocol)
	isGameSpy2 := p.Name == "gamespy2"
	switch {
	case !ok:
		return p, key, errors.New(didYouMean(wantMaster, protocols.Masters().Nearest(key.protocol)))
	case p.Master == nil:
		return p, key, errors.New(wantMaster)
	case isGameSpy2 != (key.game != "") || isGameSpy2 != (key.key != "") || !isGameSpy2 && key.filter != "":
		return p, key, errNoKey
	}
	key.master, err = p.ListAddress(key.master)
	if err == nil {
		_, err = masterHost(p, key.master)
	}
	return p, key, err
}

// masterHost returns the host of a master, whose address may be a URL. It fails if clients
// may not request lists from there.
func masterHost(p protocols.Protocol, master string) (host string, err error) {
	if p.Scheme != "" {
		master = protocols.WithScheme(master)
	}
	if !targets.IsURL(master) {
		at, err := targets.ParsePlace(master)
		if err == nil {
			err = checkPlace(at)
		}
		return at.Host, err
	}
	u, err := url.Parse(master)
	if err != nil {
		return "", errors.New("master: want a URL such as https://lobby.example.org")
	}
	usual, isWeb := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	n, err := strconv.ParseUint(cmp.Or(u.Port(), usual), 10, 16)
	at := targets.Place{Host: u.Hostname(), Port: uint16(n), Count: 1}
	switch {
	case p.Name != "wzhttp" && p.Name != "warzone":
		return "", errors.New("master: want HOST:PORT")
	case !isWeb || err != nil || at.Host == "" || u.User != nil || u.Opaque != "" || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("master: want a URL of http or https with a host and a path only")
	case n == 80 || n == 443:
		at.Port = 0
	}
	return at.Host, checkPlace(at)
}

// fetch fetches a list within the budget. The error means that other requests have kept the
// list from being whole.
func (s *Service) fetch(ctx context.Context, client netip.Addr, p protocols.Protocol, key listKey,
	into *listing) error {
	query, running := s.budget.queries.take(ctx, client, 1)
	if running == nil {
		return errBusy
	}
	defer running.release()
	ctx, reading := s.budget.lists.take(query, client, 1)
	if reading == nil {
		return errBusy
	}
	defer reading.release()
	host, err := masterHost(p, key.master)
	var addresses []netip.Addr
	if err == nil {
		addresses, err = s.Guard.Addresses(ctx, host)
	}
	if err != nil {
		s.metrics.asked(p, err)
		return into.addError(p, err)
	}
	if err := s.budget.visit(client, addresses); err != nil {
		return err
	}
	m := &meter{client: client, budget: s.budget, claim: reading}
	a := s.settings(p, false)
	a.Dial = m.over(a.Dial)
	err = into.addAll(p, m, p.Listed(ctx, key.master, a, gamespy2net.ListQuery{
		Game: key.game, Key: key.key, Filter: key.filter,
		Fields:  sb2.MakeFieldList(strings.Split(protocols.GameSpy2Fields, ",")...),
		Options: sb2.OptionAllFields,
	}))
	switch {
	case m.failed() != nil:
		err = m.failed()
	case errors.Is(ctx.Err(), context.Canceled):
		err = context.Cause(ctx) // nobody waits, or others have taken the room
	}
	if errors.Is(err, context.Canceled) || isBusy(err) && into.size == 0 {
		return err
	}
	s.metrics.asked(p, err)
	if err == nil {
		return nil
	}
	if lineErr := into.addError(p, err); lineErr != nil || isBusy(err) {
		return errors.Join(lineErr, err) // not kept
	}
	return nil
}

// addAll adds the servers of a list until the end, or a limit.
func (l *listing) addAll(p protocols.Protocol, m *meter, all iter.Seq2[lobbywire.Listed, error]) error {
	count := 0
	for server, err := range all {
		if _, isLeftOut := errors.AsType[lobbywire.LeftOutError](err); isLeftOut {
			if err := l.addError(p, err); err != nil {
				return err
			}
			continue
		}
		if errors.Is(err, output.ErrPartial) {
			return errPartial
		}
		if err != nil {
			return err
		}
		a := output.Answer{Protocol: p.Name, Query: server.Query, View: server.View, ID: server.ID}
		if _, isAddress := server.Entry.(netip.AddrPort); !isAddress {
			a.Message = server.Entry
		}
		if count++; count > maxListed || textSize(a.View) > maxEntryText {
			return errTooLong
		}
		var line bytes.Buffer
		if err := a.WriteLine(&line); err != nil {
			return err
		}
		if l.size+line.Len() > maxLines {
			return errTooLong
		}
		if err := m.spend((l.size+line.Len())/unitOfLines - l.size/unitOfLines); err != nil {
			return err
		}
		l.add(line.Bytes())
	}
	return nil
}

// addError adds the line of an error.
func (l *listing) addError(p protocols.Protocol, err error) error {
	got, err := resultOf(output.Answer{Protocol: p.Name, Err: err})
	if err != nil {
		return err
	}
	if l.size == 0 {
		l.mu.Lock()
		l.code = got.code
		l.mu.Unlock()
	}
	l.add(got.line)
	return nil
}

// textSize returns the total size of the texts in the lists of v.
func textSize(v lobbywire.View) (n int) {
	for _, r := range v.Rules {
		n += len(r.Key) + len(r.Value)
	}
	for _, p := range v.Roster {
		n += len(p.Name) + len(p.Team)
	}
	for _, t := range v.Teams {
		n += len(t.Name)
	}
	return n + len(v.Name) + len(v.Game) + len(v.Map) + len(v.Mode) + len(v.Version) + len(v.Host)
}
