package wzhttpnet

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// userAgent is the header User-Agent of requests.
const userAgent = "lobbywire (+https://github.com/lobbywire/lobbywire)"

// A call is a request to an HTTP lobby.
type call struct {
	client   *http.Client
	addr     string // of the lobby, as set by the user
	endpoint wzhttp.Endpoint
	id       string // of the game
	token    string // of the host
	query    string
	body     encoding.BinaryAppender // nil for none
	timeout  time.Duration           // for each pause
	local    netip.Addr              // of the last connection, if the client reports it
}

// Networks of requests, as in package net.
const (
	anyFamily = "tcp"
	overIPv4  = "tcp4"
	overIPv6  = "tcp6"
)

// newHTTPClient returns a client that connects over a network. Like the game, it uses
// no proxy and follows no redirects.
func newHTTPClient(dial stream.DialFunc, network string, timeout time.Duration) *http.Client {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
				ctx, cancel := context.WithTimeout(ctx, timeout)
				defer cancel()
				if request, ok := ctx.Value(requestKey{}).(context.Context); ok {
					defer context.AfterFunc(request, cancel)()
				}
				return dial(ctx, network, addr)
			},
			TLSHandshakeTimeout:    timeout,
			ResponseHeaderTimeout:  timeout,
			MaxResponseHeaderBytes: maxRequest,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
		},
		CheckRedirect: followNone,
	}
}

// requestKey is the key of the context of a request in the context that dials its
// connection. net/http detaches the latter from the request, although no other request can
// use the connection.
type requestKey struct{}

// request returns the request.
func (c *call) request(ctx context.Context) (*http.Request, error) {
	base, err := wzhttp.BaseURL(c.addr)
	if err != nil {
		return nil, err
	}
	path, err := c.endpoint.Path(c.id)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if c.body != nil {
		b, err := c.body.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	target := strings.TrimSuffix(base, wzhttp.BasePath) + path
	if c.query != "" {
		target += "?" + c.query
	}
	r, err := http.NewRequestWithContext(ctx, c.endpoint.Method(), target, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", userAgent)
	r.Header.Set("Accept", wzhttp.AcceptJSON)
	if c.endpoint == wzhttp.EndpointList {
		r.Header.Set("Accept", wzhttp.AcceptList)
	}
	if body != nil {
		r.Header.Set("Content-Type", wzhttp.ContentType)
	}
	if c.token != "" {
		r.Header.Set("Authorization", wzhttp.Authorization(c.token))
	}
	return r, nil
}

// do sends the request and, if the game accepts the status of the answer, calls read with
// its body. Otherwise the error is an Error, or the cause if ctx has ended. It returns the
// time from the request to the end of the answer.
func (c *call) do(ctx context.Context, read func(body io.Reader) error) (time.Duration, error) {
	rtt, err := c.doWithin(ctx, read)
	if err != nil && ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return rtt, err
}

// doWithin is do with a limit for the total time.
func (c *call) doWithin(ctx context.Context, read func(body io.Reader) error) (rtt time.Duration, err error) {
	ctx, stop := context.WithTimeout(ctx, stream.Whole*c.timeout)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	start := time.Now()
	var sent atomic.Int64 // nanoseconds after start; 0 if the Transport does not report it
	var answered atomic.Bool
	ctx = context.WithValue(ctx, requestKey{}, ctx)
	r, err := c.request(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			if local, err := netip.ParseAddrPort(got.Conn.LocalAddr().String()); err == nil {
				c.local = local.Addr().Unmap()
			}
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { sent.Store(int64(time.Since(start))) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}))
	if err != nil {
		return 0, err
	}
	// If the lobby is silent for too long at any point, the request ends.
	silence := time.AfterFunc(3*c.timeout, func() { cancel(context.DeadlineExceeded) })
	defer silence.Stop()
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, foreign(causeOf(ctx, err, answered.Load()), answered.Load())
	}
	defer answer.Body.Close()
	silence.Reset(c.timeout)
	body := readerFunc(func(p []byte) (int, error) {
		defer silence.Reset(c.timeout)
		n, err := answer.Body.Read(p)
		if err != nil && err != io.EOF {
			err = foreign(causeOf(ctx, err, true), true)
		}
		return n, err
	})
	if c.endpoint.Accepts(answer.StatusCode) {
		err = read(body)
	} else {
		err = readError(answer, body)
	}
	if err != nil {
		return 0, causeOf(ctx, err, true)
	}
	return time.Since(start) - time.Duration(sent.Load()), nil
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// causeOf returns the reason for a failed request, without the URL, which contains an id
// and may contain a password. If answered is set, a part of the answer has arrived.
func causeOf(ctx context.Context, err error, answered bool) error {
	outcome := stream.Outcome
	if answered {
		outcome = stream.Incomplete
	}
	cause := context.Cause(ctx)
	if cause != nil {
		return outcome(cause)
	}
	wrapped, ok := errors.AsType[*url.Error](err)
	if ok {
		err = wrapped.Err
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return outcome(context.DeadlineExceeded)
	}
	return outcome(err)
}

// foreign returns the error of a request without a whole response:
// [lobbywire.ErrUnreadable] if the answer was not HTTP.
func foreign(err error, answered bool) error {
	_, notTLS := errors.AsType[tls.RecordHeaderError](err)
	answered = answered || notTLS || errors.Is(err, http.ErrSchemeMismatch)
	if !answered || errors.Is(err, lobbywire.ErrUnreadable) {
		return err
	}
	return fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, err)
}

// errLongAnswer ends an answer that is longer than allowed.
var errLongAnswer = errors.New("wzhttpnet: the answer of the lobby is too long")

// message sends the request and returns the body of the answer.
func (c *call) message(ctx context.Context) ([]byte, error) {
	var b []byte
	_, err := c.do(ctx, func(body io.Reader) (err error) {
		b, err = io.ReadAll(io.LimitReader(body, wzhttp.MaxBody+1))
		if len(b) > wzhttp.MaxBody {
			return errLongAnswer
		}
		return err
	})
	return b, err
}

// persistent is message with retries as in the game.
func (c *call) persistent(ctx context.Context) ([]byte, error) {
	for n := 1; ; n++ {
		b, err := c.message(ctx)
		var refused *Error
		if !errors.As(err, &refused) || refused.Status != http.StatusTooManyRequests {
			return b, err
		}
		delay, ok := c.endpoint.Retry(n, refused.RetryAfter)
		if !ok {
			return nil, err
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// readError returns the error of an answer.
func readError(answer *http.Response, body io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(body, maxRequest))
	if err != nil {
		return err
	}
	e := &Error{Status: answer.StatusCode, RetryAfter: retryAfter(answer.Header)}
	m, err := wzhttp.ParseError(b)
	moved, noMove := answer.Location()
	switch {
	case err == nil:
		e.Code, e.Message, e.Data = m.Code, m.Message, m.Data
	case answer.StatusCode/100 == 3 && noMove == nil:
		moved.User = nil
		e.Code, e.Message = wzhttp.CodeGeneric, "moved to "+moved.String()
	case e.Status == http.StatusTooManyRequests:
		e.Code = wzhttp.CodeRateLimited
	default:
		e.Code = wzhttp.CodeGeneric
	}
	return e
}

// maxRetryAfter limits the time that a lobby may make a client wait.
const maxRetryAfter = 24 * time.Hour

// retryAfter returns the time after which a request may be repeated, or 0 if the header
// does not give it in seconds.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
}

// followNone is a CheckRedirect. A redirect would take signatures to a lobby that the
// caller does not trust.
func followNone(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
