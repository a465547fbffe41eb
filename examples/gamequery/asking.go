package main

import (
	"context"
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func sqpProtocol() protocol {
	client := func(a asking) *sqpnet.Client {
		return &sqpnet.Client{Timeout: a.timeout, Attempts: a.attempts, Dial: a.dial, Listen: a.listen}
	}
	answerOf := func(r sqpnet.Answer) answer {
		got := answer{message: r.QueryResponse, rtt: r.RTT, attempts: r.Attempts}
		if r.Missing != 0 {
			got.lacks = r.Missing.String()
		}
		return got
	}
	return protocol{
		name: "sqp",
		query: func(ctx context.Context, addr string, a asking) (answer, error) {
			r, err := client(a).Query(ctx, addr, a.chunks)
			return answerOf(r), err
		},
		scan: func(ctx context.Context, all iter.Seq[netip.AddrPort], a asking) iter.Seq2[netip.AddrPort, result] {
			return func(yield func(netip.AddrPort, result) bool) {
				for addr, r := range client(a).Scan(ctx, all, a.chunks) {
					if !yield(addr, result{answerOf(r.Answer), r.Err}) {
						return
					}
				}
			}
		},
		serve: newSQPServer,
	}
}

func gamespy2Client(a asking) *gamespy2net.Client {
	how := map[string]gamespy2net.Protocol{
		"challenge": gamespy2net.Challenge, "split": gamespy2net.Split, "plain": gamespy2net.Plain,
	}
	return &gamespy2net.Client{Protocol: how[a.ask], Timeout: a.timeout, Attempts: a.attempts, Dial: a.dial, Listen: a.listen}
}

func gamespy2Protocol() protocol {
	answerOf := func(r gamespy2net.Answer) answer {
		return answer{message: r.Response, lacks: partial(r.Partial), rtt: r.RTT, attempts: r.Attempts}
	}
	return protocol{
		name: "gamespy2",
		asks: []string{"auto", "challenge", "split", "plain"},
		query: func(ctx context.Context, addr string, a asking) (answer, error) {
			r, err := gamespy2Client(a).Query(ctx, addr)
			return answerOf(r), err
		},
		scan: func(ctx context.Context, all iter.Seq[netip.AddrPort], a asking) iter.Seq2[netip.AddrPort, result] {
			return func(yield func(netip.AddrPort, result) bool) {
				for addr, r := range gamespy2Client(a).Scan(ctx, all) {
					if !yield(addr, result{answerOf(r.Answer), r.Err}) {
						return
					}
				}
			}
		},
		serve:  newGameSpy2Server,
		list:   listGameSpy2,
		master: newGameSpyMaster,

		listsOverTCP: true,
		discover:     discoverGameSpy2,
	}
}

// partial is what an answer lacks, if it does.
func partial(is bool) string {
	if is {
		return "packets"
	}
	return ""
}

func gameagentProtocol() protocol {
	return protocol{
		name:  "gameagent",
		asks:  []string{"status", "legacy", "players", "ping"},
		query: queryGameAgent,
		scan: func(ctx context.Context, all iter.Seq[netip.AddrPort], a asking) iter.Seq2[netip.AddrPort, result] {
			c := gameagentClient(a)
			if a.ask == "legacy" {
				return resultsOfGameAgent(c.LegacyScan(ctx, all))
			}
			return resultsOfGameAgent(c.Scan(ctx, all))
		},
		serve:  newGameAgentServer,
		list:   listGameAgent,
		master: newGameAgentMaster,

		listsOverTCP: true,
	}
}

func gameagentClient(a asking) *gameagentnet.Client {
	return &gameagentnet.Client{Timeout: a.timeout, Attempts: a.attempts, Dial: a.dial, Listen: a.listen}
}

func resultsOfGameAgent[M any](results iter.Seq2[netip.AddrPort, gameagentnet.Result[M]]) iter.Seq2[netip.AddrPort, result] {
	return func(yield func(netip.AddrPort, result) bool) {
		for addr, r := range results {
			got := result{answer{lacks: partial(r.Partial), rtt: r.RTT, attempts: r.Attempts}, r.Err}
			if r.Err == nil {
				got.message = r.Message
			}
			if !yield(addr, got) {
				return
			}
		}
	}
}

func queryGameAgent(ctx context.Context, addr string, a asking) (answer, error) {
	c := gameagentClient(a)
	switch a.ask {
	case "players":
		r, err := c.Players(ctx, addr)
		return answerOfGameAgent(r.Message, r.Partial, r.RTT, r.Attempts), err
	case "ping":
		r, err := c.Ping(ctx, addr)
		return answerOfGameAgent(r.Message, r.Partial, r.RTT, r.Attempts), err
	case "legacy":
		r, err := c.LegacyStatus(ctx, addr)
		return answerOfGameAgent(r.Message, r.Partial, r.RTT, r.Attempts), err
	}
	r, err := c.Status(ctx, addr)
	return answerOfGameAgent(r.Message, r.Partial, r.RTT, r.Attempts), err
}

func answerOfGameAgent(message any, isPartial bool, rtt time.Duration, attempts int) answer {
	return answer{message: message, lacks: partial(isPartial), rtt: rtt, attempts: attempts}
}
