package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"regexp"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// Limits of a scan.
const (
	scanTime    = 2 * time.Minute
	scanWorkers = 64 // queries at one time
	lineTime    = 10 * time.Second
	retryPause  = 100 * time.Millisecond // before a query for which there was no room
	maxLine     = 300                    // bytes of an address
)

func (s *Service) serveScan(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	if !s.knows(w, values, "game", "full") {
		return
	}
	p, key, err := parseGame(values)
	if err != nil {
		bad(w, http.StatusBadRequest, "usage", err.Error())
		return
	}
	client := s.Limiter.Client(r)
	ctx, cancel := context.WithTimeout(r.Context(), scanTime)
	defer cancel()
	ctx, claim := s.budget.scans.take(ctx, client, 1)
	if claim == nil {
		s.fail(w, r, errBusy)
		return
	}
	defer claim.release()
	out := &lineWriter{w: w, to: http.NewResponseController(w)}
	defer context.AfterFunc(ctx, func() { _ = out.to.SetReadDeadline(time.Now()) })() // a body that is still sent
	addresses, err := s.readAddresses(w, r)
	if err != nil {
		status := http.StatusBadRequest
		if errors.Is(err, errTooMany) || errors.As(err, new(*http.MaxBytesError)) {
			status = http.StatusRequestEntityTooLarge
		}
		bad(w, status, "usage", err.Error())
		return
	}
	if !s.budget.targets.allow(client, client, len(addresses)) {
		s.fail(w, r, errBusy)
		return
	}
	w.Header().Set("Content-Type", jsonLines)
	s.scan(ctx, client, p, key, addresses, func(line []byte) {
		if out.write(line) != nil {
			cancel() // the client has gone
		}
	})
}

var errTooMany = errors.New("too many addresses")

// jsonStart matches the start of a list of texts or of an object in JSON, but not of a list of
// lines: in lines, [ begins the IPv6 address of a target.
var jsonStart = regexp.MustCompile(`^\s*(\[\s*["\]]|\{)`)

// readAddresses reads the body of a scan: lines as in a list for scan, or a list in JSON. Many
// clients send JSON with another type, such as pages that fetch with a text as the body.
func (s *Service) readAddresses(w http.ResponseWriter, r *http.Request) (all []string, err error) {
	body := bufio.NewReader(files.Text(http.MaxBytesReader(w, r.Body, int64(s.MaxTargets)*maxLine)))
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	start, _ := body.Peek(body.Size()) // reading on returns the error
	if mediaType == "application/json" || jsonStart.Match(start) {
		text, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("want a list of addresses in JSON: %w", err)
		}
	} else {
		for word, err := range targets.Words("the body", body) {
			if err != nil {
				return nil, err
			}
			all = append(all, word.Text)
		}
	}
	switch {
	case len(all) == 0:
		return nil, errors.New("the body has no addresses")
	case len(all) > s.MaxTargets:
		return nil, fmt.Errorf("%w: at most %d", errTooMany, s.MaxTargets)
	}
	return all, nil
}

// scan queries targets and passes on the lines of their answers, one at a time.
func (s *Service) scan(ctx context.Context, client netip.Addr, p protocols.Protocol, key queryKey, all []string,
	take func(line []byte)) {
	next := make(chan string)
	lines := make(chan []byte)
	var workers sync.WaitGroup
	for range min(scanWorkers, len(all)) {
		workers.Go(func() {
			for target := range next {
				lines <- s.scanOne(ctx, client, p, key, target)
			}
		})
	}
	go func() {
		defer close(lines)
		for _, target := range all {
			next <- target
		}
		close(next)
		workers.Wait()
	}()
	for line := range lines {
		take(line)
	}
}

// scanOne returns the line of a target. It waits while there is no room for the query.
func (s *Service) scanOne(ctx context.Context, client netip.Addr, p protocols.Protocol, key queryKey,
	target string) []byte {
	var err error
	key.at, err = parsePlace(p, target)
	if err != nil {
		return errorLine(p, target, &usage.Error{Problem: err.Error()})
	}
	for {
		got, err := s.query(ctx, client, p, key)
		switch {
		case err == nil:
			return withTarget(got.line, target)
		case !isBusy(err) || !cli.Pause(ctx, retryPause):
			return errorLine(p, target, err)
		}
	}
}

// errorLine returns the line of a target that was not queried.
func errorLine(p protocols.Protocol, target string, err error) []byte {
	got, lineErr := resultOf(output.Answer{Protocol: p.Name, Target: target, Err: err})
	if lineErr != nil {
		return nil
	}
	return got.line
}

// withTarget returns a line with the member target.
func withTarget(line []byte, target string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"target":`)
	text, err := json.Marshal(target)
	if err != nil {
		return line
	}
	b.Write(text)
	b.WriteByte(',')
	b.Write(line[1:])
	return b.Bytes()
}

// A lineWriter sends lines as they arrive.
type lineWriter struct {
	w  io.Writer
	to *http.ResponseController
}

func (l *lineWriter) write(line []byte) error {
	if err := l.to.SetWriteDeadline(time.Now().Add(lineTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := l.w.Write(line); err != nil {
		return err
	}
	return l.to.Flush()
}
