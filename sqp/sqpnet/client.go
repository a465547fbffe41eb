package sqpnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/sqp"
)

// A Client queries servers. Its zero value is ready. It holds no socket between
// calls, and may be used by several goroutines at once; fields must not change
// while it is used.
type Client struct {
	// Timeout limits the wait of an attempt for each answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is the number of attempts before a server counts as silent; 0 means 4, which
	// takes 4 s. Each attempt uses another port, because some servers ignore a port after
	// an incomplete exchange.
	Attempts int

	// Rate limits the average number of requests per second of a scan, including repeats; 0
	// means that a scan starts slowly and speeds up as long as servers and the network keep
	// up. Only a Rate above 2560 speeds it up without answers, for targets that are mostly
	// silent.
	Rate int

	// ViewChunks are the chunks that ScanViews requests; 0 means ServerInfo.
	ViewChunks sqp.Chunks

	// Options are the options for decoding answers.
	Options sqp.Options

	// Dial and Listen open sockets: Dial for Query, Listen for Scan. Each call must
	// use another port. nil means UDP sockets of the operating system, for either
	// address family.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)
}

// An Answer is the answer of a server to a query.
type Answer struct {
	Message sqp.QueryResponse

	// Missing are the requested chunks that the server did not send: not every server
	// supports all of them, and some answer only queries for ServerInfo.
	Missing sqp.Chunks

	RTT      time.Duration // of the last round trip
	Attempts int
}

// Query requests chunks from the server at addr, host:port of its query port, one after the
// other. It ignores chunks that are not in [sqp.AllChunks]. It fails if no other chunks are
// requested, or if the server sends none of them.
func (c *Client) Query(ctx context.Context, addr string, chunks sqp.Chunks) (Answer, error) {
	if chunks&sqp.AllChunks == 0 {
		return Answer{}, errNoChunks
	}
	return scan.Query(ctx, c.scanner(chunks&sqp.AllChunks), addr, answerOf)
}

// A Result is the outcome for one server of a Scan.
type Result struct {
	Answer

	// Err is not nil if no chunk arrived: [lobbywire.ErrTimeout], which may be
	// [lobbywire.ErrChallengeOnly], [lobbywire.ErrUnreadable], [lobbywire.ErrLost], or the
	// error of the operating system if a request could not be sent.
	Err error
}

// Scan requests chunks from all targets, which are addresses with query ports, and
// yields results as they arrive, in no particular order. Another goroutine reads
// targets, which may block; see [lobbywire.Scanner]. Scan ends early if ctx is done, no
// socket can be opened, or there are no chunks to request; the last result then has that
// error and no address.
func (c *Client) Scan(
	ctx context.Context, targets iter.Seq[netip.AddrPort], chunks sqp.Chunks,
) iter.Seq2[netip.AddrPort, Result] {
	if chunks&sqp.AllChunks == 0 {
		return func(yield func(netip.AddrPort, Result) bool) { yield(netip.AddrPort{}, Result{Err: errNoChunks}) }
	}
	return scan.ByTarget(c.scanner(chunks&sqp.AllChunks).Scan(ctx, targets), func(r scan.Result) Result {
		a, err := answerOf(r)
		return Result{a, err}
	})
}

var errNoChunks = errors.New("sqpnet: no chunks to request")

// answerOf returns the answer or, if there is none, the reason.
func answerOf(r scan.Result) (Answer, error) {
	a := Answer{RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(*exchange)
	if !ok {
		return a, r.Err
	}
	a.Message = e.answer
	a.Missing = e.asked &^ e.answer.Chunks()
	if a.Missing != e.asked {
		return a, nil
	}
	return a, cmp.Or(r.Err, errNoChunk)
}

func (c *Client) scanner(chunks sqp.Chunks) *scan.Scanner {
	packets := sqp.Assembler{Options: c.Options}
	s := &scan.Scanner{
		Listen:      c.Listen,
		Dial:        c.Dial,
		MaxDatagram: udp.MaxDatagram,
		AnswerSize:  sqp.MaxDatagram / 4 * bits.OnesCount8(uint8(chunks)),
		Attempts:    c.Attempts,
		Timeout:     c.Timeout,
		Rate:        c.Rate,
		Alike:       true,
		Start: func(_ netip.AddrPort, _ int, last scan.Exchange) scan.Exchange {
			if last, ok := last.(*exchange); ok {
				return &exchange{
					packets: packets, asked: last.asked, open: last.open, version: last.version, answer: last.answer,
				}
			}
			return &exchange{packets: packets, asked: chunks, open: chunks, version: sqp.Version}
		},
	}
	s.SetDefaults()
	return s
}

// An exchange requests one chunk after the other: some servers answer only queries for
// ServerInfo alone, and some leave out chunks, which an answer with several does not show.
// Each query has its own port and token: servers may give a port the same token again, and
// a late copy of one answer would pass for the next.
type exchange struct {
	asked    sqp.Chunks // requested chunks that package sqp knows
	open     sqp.Chunks // requested and not answered yet
	version  uint16     // of the next query
	querying bool       // a query has been sent, not only a challenge request
	tokens   []uint32   // from the challenges, which may be forged; the query uses the last
	packets  sqp.Assembler
	answer   sqp.QueryResponse
}

// errToken is the error of an answer with the token of another query.
var errToken = &lobbywire.Error{Proto: "sqp", Field: "token", Offset: 1, Err: lobbywire.ErrInvalid}

// errNoChunk is the error for answers without any requested chunk.
var errNoChunk = fmt.Errorf("%w: %w", lobbywire.ErrUnreadable,
	&lobbywire.Error{Proto: "sqp", Field: "chunkLength", Offset: 11, Err: lobbywire.ErrTruncated})

// chunk returns the chunk that is requested now.
func (e *exchange) chunk() sqp.Chunks { return e.open & -e.open }

func (e *exchange) Request(b []byte) []byte {
	if !e.querying {
		b, _ = sqp.ChallengeRequest{}.AppendBinary(b)
		return b
	}
	b, _ = sqp.QueryRequest{Token: e.token(), Version: e.version, Chunks: e.chunk()}.AppendBinary(b)
	return b
}

// Repeats reports whether to repeat a query with the same token. A challenge request is not
// repeated, because some servers ignore the second one from a port, nor is a query of which
// a part of the answer has arrived, because the state of the server may have changed.
func (e *exchange) Repeats() bool { return e.querying && e.packets.Missing() == nil }

func (e *exchange) Receive(b []byte) (scan.Verdict, error) {
	m, err := sqp.ParseChallengeResponse(b)
	switch {
	case err == nil:
		return e.receiveChallenge(m.Token), nil
	case !e.querying:
		return scan.Stray, err
	}
	return e.receiveAnswer(b)
}

// maxTokens limits the challenges of a query, so that forged ones cause few datagrams.
const maxTokens = 4

// receiveChallenge handles a challenge: the first one, a copy, or another one because one
// of them is forged. It sends the query with each, unless the answer has begun to arrive.
func (e *exchange) receiveChallenge(token uint32) scan.Verdict {
	if !e.querying {
		e.tokens = e.tokens[:0]
	}
	if slices.Contains(e.tokens, token) || len(e.tokens) == maxTokens || e.packets.Missing() != nil {
		return scan.Stray
	}
	e.tokens, e.querying = append(e.tokens, token), true
	if e.version == sqp.VersionMetrics {
		return scan.Try // not every server answers it
	}
	return scan.Next
}

// token returns the token of the next query.
func (e *exchange) token() uint32 { return e.tokens[len(e.tokens)-1] }

// receiveAnswer handles a packet of the answer with one chunk.
func (e *exchange) receiveAnswer(b []byte) (scan.Verdict, error) {
	m, err := e.packets.Options.ParseQueryResponse(b, e.chunk())
	if errors.Is(err, lobbywire.ErrUnsupported) {
		return e.receivePart(b)
	}
	if e.isServerInfo(b) {
		m, err = sqp.QueryResponse{Token: e.token(), Version: e.version}, nil
	}
	return e.receiveWhole(m, err)
}

// isServerInfo reports whether a packet repeats ServerInfo in place of another chunk. A
// server that checks the mask wrongly may send it for any request, and without a tag, it
// would be read as the other chunk.
func (e *exchange) isServerInfo(b []byte) bool {
	if e.answer.ServerInfo == nil {
		return false
	}
	m, err := e.packets.Options.ParseQueryResponse(b, sqp.ChunkServerInfo)
	if err != nil || m.ServerInfo == nil || !slices.Contains(e.tokens, m.Token) {
		return false
	}
	now, was := m.ServerInfo, e.answer.ServerInfo
	return now.ServerName == was.ServerName && now.BuildID == was.BuildID && now.Port == was.Port
}

// receivePart handles a packet of a split answer.
func (e *exchange) receivePart(b []byte) (scan.Verdict, error) {
	p, err := e.packets.Options.ParsePacket(b)
	switch {
	case err != nil:
		return scan.Stray, err
	case !slices.Contains(e.tokens, p.Token):
		return scan.Stray, errToken
	}
	done, err := e.packets.Add(b)
	if err != nil {
		return scan.Stray, err
	}
	m, err := e.packets.QueryResponse(e.chunk())
	if !done {
		return scan.More, err
	}
	e.packets = sqp.Assembler{Options: e.packets.Options}
	return e.receiveWhole(m, err)
}

func (e *exchange) receiveWhole(m sqp.QueryResponse, err error) (scan.Verdict, error) {
	switch {
	case err != nil:
		return scan.Stray, err
	case !slices.Contains(e.tokens, m.Token):
		return scan.Stray, errToken
	}
	e.querying = false
	if e.chunk() == sqp.ChunkMetrics && m.Metrics == nil && e.version == sqp.Version {
		e.version = sqp.VersionMetrics // Unity's Go server requires it for metrics
		return scan.NextPort, nil
	}
	e.take(m)
	if e.open == 0 {
		return scan.Done, nil
	}
	return scan.NextPort, nil
}

// take adds the chunk of one answer to the result.
func (e *exchange) take(m sqp.QueryResponse) {
	a := &e.answer
	a.Token, a.Version = m.Token, m.Version
	a.ServerInfo = cmp.Or(m.ServerInfo, a.ServerInfo)
	a.PlayerInfo = cmp.Or(m.PlayerInfo, a.PlayerInfo)
	a.TeamInfo = cmp.Or(m.TeamInfo, a.TeamInfo)
	a.Metrics = cmp.Or(m.Metrics, a.Metrics)
	if m.ServerRules != nil {
		a.ServerRules = m.ServerRules
	}
	e.open &^= e.chunk()
}
