package masters

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A planted is a mistake in a toy, as a change of a kind, and the first case that finds it.
type planted[T any] struct {
	name  string
	plant T
	found string
}

type plantedMaster = planted[func(m *toyMaster)]

type respond = func(from netip.AddrPort, req []byte) [][]byte

// responding changes how a toy responds.
func responding(with func(right respond, from netip.AddrPort, req []byte) [][]byte) func(*toyMaster) {
	return func(m *toyMaster) {
		right := m.respond
		m.respond = func(from netip.AddrPort, req []byte) [][]byte { return with(right, from, req) }
	}
}

// rewritten changes the requests of a type that a toy sees.
func rewritten(first byte, change func(req []byte) []byte) func(*toyMaster) {
	return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
		if len(req) > 0 && req[0] == first {
			req = change(bytes.Clone(req))
		}
		return right(from, req)
	})
}

// ignoring drops heartbeats of a state.
func ignoring(state qr2.State) func(*toyMaster) {
	return rewritten(3, func(b []byte) []byte {
		if qr2.PeekState(b) == state {
			return nil
		}
		return b
	})
}

// replied changes the datagrams of a toy.
func replied(change func(answer []byte) []byte) func(*toyMaster) {
	return responding(func(right respond, from netip.AddrPort, req []byte) (all [][]byte) {
		for _, b := range right(from, req) {
			all = append(all, change(b))
		}
		return all
	})
}

// streams changes the answers of a toy on a connection, given the bytes sent to it;
// streamed ignores these bytes.
func streams(change func(sent, answer []byte) []byte) func(*toyMaster) {
	return func(m *toyMaster) {
		right := m.talk
		m.talk = func(sent []byte) []byte { return change(sent, right(sent)) }
	}
}

func streamed(change func(answer []byte) []byte) func(*toyMaster) {
	return streams(func(_, answer []byte) []byte { return change(answer) })
}

// sends changes what a toy sees on a connection. It sends first, to nothing.
func sends(change func(sent []byte) []byte) func(*toyMaster) {
	return func(m *toyMaster) {
		right := m.talk
		m.talk = func(sent []byte) []byte { return right(change(sent)) }
	}
}

// edited is short for Edited.
var edited = checktest.Edited

// asked changes the list requests that a toy sees.
func asked(change func(r *sb2.ListRequest)) func(*toyMaster) {
	return func(m *toyMaster) {
		right := m.talk
		m.talk = func(sent []byte) []byte {
			if r, err := sb2.ParseListRequest(sent); err == nil {
				change(&r)
				sent = check.MustBinary(r)
			}
			return right(sent)
		}
	}
}

// relisted changes the lists of a toy, or how they are encrypted.
func relisted(change func(a *sb2.Answer)) func(*toyMaster) {
	return streams(func(sent, answer []byte) []byte {
		r, err := sb2.ParseListRequest(sent)
		if err != nil || r.Options&sb2.OptionNoList != 0 {
			return answer
		}
		a, err := sb2.ParseAnswer(answer, toyGame().Key, r)
		if err != nil {
			return answer
		}
		change(&a)
		return check.MustBinary(a)
	})
}

// answering replaces answers to challenges by the right ones if take returns true.
func answering(take func(right, got string) bool) func(*toyMaster) {
	challenges := map[netip.AddrPort]string{}
	return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
		if a, err := qr2.ParseChallengeAnswer(req); err == nil {
			want := string(qr2.AppendAnswer(nil, challenges[from], toyGame().Key))
			if challenges[from] != "" && take(want, a.Text) {
				req = check.MustBinary(qr2.ChallengeAnswer{Key: a.Key, Text: want})
			}
		}
		all := right(from, req)
		for _, b := range all {
			if c, err := qr2.ParseChallenge(b); err == nil {
				challenges[from] = c.Text
			}
		}
		return all
	})
}

// oneChallenge sends everybody the challenge of one address.
func oneChallenge() func(*toyMaster) {
	const text = "AbCdEf00C0000207C350"
	challenges := map[netip.AddrPort]string{}
	return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
		if a, err := qr2.ParseChallengeAnswer(req); err == nil &&
			a.Text == string(qr2.AppendAnswer(nil, text, toyGame().Key)) {
			a.Text = string(qr2.AppendAnswer(nil, challenges[from], toyGame().Key))
			req = check.MustBinary(a)
		}
		all := right(from, req)
		for i, b := range all {
			if c, err := qr2.ParseChallenge(b); err == nil {
				challenges[from] = c.Text
				all[i] = check.MustBinary(qr2.Challenge{Key: c.Key, Text: text})
			}
		}
		return all
	})
}

func plantedGameSpyMaster() []plantedMaster {
	none := func([]byte) []byte { return nil }
	return []plantedMaster{
		{"answers no availability request", rewritten(9, none), "gamespy2-master/1.1"},
		{"is not available", replied(edited(`^(..\x09...).`, "$1\x01")), "gamespy2-master/1.1"},
		{"answers no heartbeat", rewritten(3, none), "gamespy2-master/1.2"},
		{"has another instance key", replied(func(b []byte) []byte {
			if b[2] == 1 {
				b[3] ^= 1
			}
			return b
		}), "gamespy2-master/1.2"},
		{"takes no answer", rewritten(1, none), "gamespy2-master/1.3"},
		{"sends no Registered", replied(edited(`^(..)\x0a`, "$1\x0b")), "gamespy2-master/1.4"},
		{"lists servers at once", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			all := right(from, req)
			if a, err := qr2.ParseChallengeAnswer(req); err == nil {
				all = [][]byte{check.MustBinary(qr2.Registered{Key: a.Key})}
			}
			for _, b := range all {
				if c, err := qr2.ParseChallenge(b); err == nil {
					text := string(qr2.AppendAnswer(nil, c.Text, toyGame().Key))
					right(from, check.MustBinary(qr2.ChallengeAnswer{Key: c.Key, Text: text}))
				}
			}
			return all
		}), "gamespy2-master/1.5"},
		{"takes any answer", answering(func(string, string) bool { return true }), "gamespy2-master/1.6"},
		{"does not compare the first character", answering(func(want, got string) bool {
			return len(got) == len(want) && got[1:] == want[1:]
		}), "gamespy2-master/1.6"},
		{"does not compare the last character", answering(func(want, got string) bool {
			return len(got) == len(want) && got[:len(got)-1] == want[:len(want)-1]
		}), "gamespy2-master/1.7"},
		{"compares as much as there is", answering(func(want, got string) bool {
			return len(got) < len(want) && want[:len(got)] == got
		}), "gamespy2-master/1.8"},
		{"has one challenge for all", oneChallenge(), "gamespy2-master/1.11"},
		{"ignores changes", ignoring(qr2.StateChanged), "gamespy2-master/1.14"},
		{"does not remove servers", ignoring(qr2.StateShutdown), "gamespy2-master/1.15"},
		{"removes servers of any instance key", func() func(*toyMaster) {
			keys := map[netip.AddrPort][]byte{}
			return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
				if len(req) > 5 && req[0] == 3 {
					if qr2.PeekState(req) != qr2.StateShutdown {
						keys[from] = bytes.Clone(req[1:5])
					} else if keys[from] != nil {
						req = slices.Concat([]byte{3}, keys[from], req[5:])
					}
				}
				return right(from, req)
			})
		}(), "gamespy2-master/1.16"},
		{"pads answers to keepalives", replied(edited(`^..\x08.*`, "$0"+strings.Repeat("\x00", 100))),
			"gamespy2-master/1.17"},
		{"answers keepalives of anybody", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if k, err := qr2.ParseKeepalive(req); err == nil {
				return [][]byte{check.MustBinary(qr2.KeepaliveAnswer{Key: k.Key})}
			}
			return right(from, req)
		}), "gamespy2-master/1.18"},
		{"has no rules", streams(func(sent, b []byte) []byte {
			if len(sent) > 2 && sent[2] == 1 {
				return nil
			}
			return b
		}), "gamespy2-master/2.13"},
		{"keeps servers for ever", func(m *toyMaster) { m.wait = func(time.Duration) {} }, "gamespy2-master/1.19"},
		{"swaps the bytes of ports", relisted(func(a *sb2.Answer) {
			for i := range a.List.Servers {
				a.List.Servers[i].Port = a.List.Servers[i].Port<<8 | a.List.Servers[i].Port>>8
			}
		}), "gamespy2-master/2.2"},
		{"lists servers twice", relisted(func(a *sb2.Answer) {
			a.List.Servers = append(a.List.Servers, a.List.Servers...)
		}), "gamespy2-master/1.3"},
		{"lists one server", relisted(func(a *sb2.Answer) {
			slices.SortFunc(a.List.Servers, func(x, y sb2.Server) int { return cmp.Compare(x.Port, y.Port) })
			a.List.Servers = a.List.Servers[:min(1, len(a.List.Servers))]
		}), "gamespy2-master/1.13"},
		{"encrypts with another key", relisted(func(a *sb2.Answer) { a.Secret = "x" + a.Secret }), "gamespy2-master/1.3"},
		{"does not end the list", streamed(edited(`.$`, "")), "gamespy2-master/1.3"},
		{"has one key for all lists", relisted(func(a *sb2.Answer) { a.Head.Challenge = make([]byte, 25) }),
			"gamespy2-master/2.3"},
		{"leaves out keys", relisted(func(a *sb2.Answer) {
			a.List.Keys = a.List.Keys[:min(len(a.List.Keys), 3)]
			for i, s := range a.List.Servers {
				a.List.Servers[i].Fields = s.Fields[:len(a.List.Keys)]
			}
		}), "gamespy2-master/2.1"},
		{"swaps values", relisted(func(a *sb2.Answer) {
			for _, s := range a.List.Servers {
				s.Fields[3].Value, s.Fields[4].Value = s.Fields[4].Value, s.Fields[3].Value
			}
		}), "gamespy2-master/2.1"},
		{"ignores filters", asked(func(r *sb2.ListRequest) { r.Filter = "" }), "gamespy2-master/2.5"},
		{"has no and", asked(func(r *sb2.ListRequest) { r.Filter, _, _ = strings.Cut(r.Filter, " and") }),
			"gamespy2-master/2.6"},
		{"ignores like", asked(func(r *sb2.ListRequest) {
			if bytes.Contains([]byte(r.Filter), []byte("like")) {
				r.Filter = ""
			}
		}), "gamespy2-master/2.8"},
		{"sends a list that was not requested", asked(func(r *sb2.ListRequest) { r.Options &^= sb2.OptionNoList }),
			"gamespy2-master/2.11"},
		{"has no limit", asked(func(r *sb2.ListRequest) {
			r.Options &^= sb2.OptionLimit
			r.MaxServers = 0
		}), "gamespy2-master/2.12"},
		{"challenges every game", rewritten(3, edited(`no such game`, toyGame().Name)), "gamespy2-master/3.1"},
		{"answers unknown types", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if len(req) > 4 && req[0] == 0xff {
				return [][]byte{check.MustBinary(qr2.Registered{})}
			}
			return right(from, req)
		}), "gamespy2-master/3.3"},
		{"answers answers", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if bytes.HasPrefix(req, []byte("\xfe\xfd")) {
				return [][]byte{check.MustBinary(qr2.Registered{})}
			}
			return right(from, req)
		}), "gamespy2-master/3.2"},
		{"takes other versions", sends(edited(`^(..\x00).(.)`, "$1\x01$2")), "gamespy2-master/3.4"},
		{"sends the list of any game", sends(edited(`xxxxxx`, toyGame().Name)), "gamespy2-master/3.7"},
		{"pads challenges", replied(edited(`^..\x01.*`, "$0"+strings.Repeat("\x00", 500))), "gamespy2-master/4.1"},
		{"floods for short heartbeats", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			const short = 40
			if len(req) > 5 && len(req) < short && req[0] == 3 {
				return [][]byte{make([]byte, 100)}
			}
			return right(from, req)
		}), "gamespy2-master/4.2"},
		{"pads errors", replied(edited(`^..\x04.*`, "$0"+strings.Repeat("\x00", 100))), "gamespy2-master/4.3"},
		{"has no room for long heartbeats", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			const room = 1024
			if len(req) > room {
				return nil
			}
			return right(from, req)
		}), "gamespy2-master/4.5"},
		{"compares numbers as texts", asked(func(r *sb2.ListRequest) {
			r.Filter = strings.Replace(r.Filter, "numplayers < 10", "numplayers < 1", 1)
		}), "gamespy2-master/2.6"},
		{"takes >= for >", asked(func(r *sb2.ListRequest) { r.Filter = strings.ReplaceAll(r.Filter, ">=", ">") }),
			"gamespy2-master/2.6"},
		{"has no quotes", asked(func(r *sb2.ListRequest) { r.Filter = strings.ReplaceAll(r.Filter, `"`, ``) }),
			"gamespy2-master/2.8"},
		{"has values in the order of the heartbeat", relisted(func(a *sb2.Answer) {
			for _, s := range a.List.Servers {
				s.Fields[2].Value, s.Fields[5].Value = s.Fields[5].Value, s.Fields[2].Value
			}
		}), "gamespy2-master/2.1"},
		{"leaves out missing values", relisted(func(a *sb2.Answer) {
			for _, s := range a.List.Servers {
				s.Fields[4].Value, s.Fields[5].Value = s.Fields[5].Value, ""
			}
		}), "gamespy2-master/2.1"},
		{"ignores heartbeats without a change", ignoring(qr2.StateSame), "gamespy2-master/1.14"},
		{"has ASCII only", rewritten(3, func(b []byte) []byte {
			keyEnd := min(5, len(b)) // of the instance key, whose bytes are random
			return slices.Concat(b[:keyEnd], bytes.ReplaceAll(b[keyEnd:], []byte{0xe4}, []byte("?")))
		}), "gamespy2-master/1.14"},
		{"lists local ports", func() func(*toyMaster) {
			local := map[uint16]uint16{}
			return func(m *toyMaster) {
				rewritten(3, func(b []byte) []byte {
					h, err := qr2.ParseHeartbeat(b)
					if err == nil {
						local[50000] = h.Identity().LocalPort
					}
					return b
				})(m)
				relisted(func(a *sb2.Answer) {
					for i, s := range a.List.Servers {
						if port := local[s.Port]; port != 0 {
							a.List.Servers[i].Port = port
						}
					}
				})(m)
			}
		}(), "gamespy2-master/2.2"},
		{"forgets keepalives", rewritten(8, func(b []byte) []byte { b[1] ^= 1; return b }), "gamespy2-master/1.19"},
		{"refuses servers that start again", func() func(*toyMaster) {
			known := map[netip.AddrPort][]byte{}
			return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
				all := right(from, req)
				if len(req) > 5 && req[0] == 3 && qr2.PeekState(req) != qr2.StateShutdown {
					if key := known[from]; key != nil && !bytes.Equal(key, req[1:5]) {
						return nil
					}
				} else if len(req) > 5 && req[0] == 3 {
					delete(known, from)
				}
				if len(all) == 1 && all[0][2] == 10 {
					known[from] = bytes.Clone(req[1:5])
				}
				return all
			})
		}(), "gamespy2-master/1.20"},
		{"wants a request in one packet", func(m *toyMaster) { m.isCut = func([]byte) bool { return false } },
			"gamespy2-master/3.11"},
		{"needs tables", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			h, err := qr2.ParseHeartbeat(req)
			const long = 1000
			if err == nil && h.Players == nil && qr2.PeekState(req) != qr2.StateShutdown && len(req) < long && len(req) > 60 {
				return nil
			}
			return right(from, req)
		}), "gamespy2-master/5.1"},
	}
}

func plantedGameAgentMaster() []plantedMaster {
	return []plantedMaster{
		{"is silent", responding(func(respond, netip.AddrPort, []byte) [][]byte { return nil }), "gameagent-master/1.1"},
		{"has a challenge of 0", replied(edited(`^\x01....`, "\x01\x00\x00\x00\x00")), "gameagent-master/1.1"},
		{"lists servers at once", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			all := right(from, req)
			if len(req) == 1 && req[0] == 'q' {
				c, _ := gameagent.ParseChallenge(all[0])
				right(from, check.MustBinary(gameagent.Heartbeat{Challenge: c.Challenge}))
			}
			return all
		}), "gameagent-master/1.3"},
		{"takes any challenge", takesChallenge(func(want, got int32) bool { return got != 0 }), "gameagent-master/1.4"},
		{"reads 24 bits of challenges", takesChallenge(func(want, got int32) bool { return want<<8 == got<<8 }),
			"gameagent-master/1.5"},
		{"reads 16 bits of challenges", takesChallenge(func(want, got int32) bool { return want<<16 == got<<16 }),
			"gameagent-master/1.5"},
		{"takes challenges in either order", takesChallenge(func(want, got int32) bool { return swapped(want) == got }),
			"gameagent-master/1.6"},
		{"takes a challenge of 0", takesChallenge(func(_, got int32) bool { return got == 0 }), "gameagent-master/1.7"},
		{"lists the query port", replied(func(b []byte) []byte {
			l, err := gameagent.ParseServerList(b)
			if err != nil {
				return b
			}
			for i, at := range l.Servers {
				l.Servers[i] = netip.AddrPortFrom(at.Addr(), at.Port()+1)
			}
			return check.MustBinary(l)
		}), "gameagent-master/1.10"},
		{"has ports in the other order", replied(func(b []byte) []byte {
			for i := 5; b[0] == 's' && i+1 < len(b); i += 6 {
				b[i], b[i+1] = b[i+1], b[i]
			}
			return b
		}), "gameagent-master/1.10"},
		{"lists servers twice", replied(edited(`^s(.*)$`, "s$1$1")), "gameagent-master/1.10"},
		{"has a byte after the list", replied(edited(`^s.*`, "$0\x00")), "gameagent-master/1.2"},
		{"challenges listed servers", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if len(req) > 1 && req[0] == '0' {
				h, _ := gameagent.ParseHeartbeat(req)
				all := right(from, req)
				if h.Challenge == 0 && len(all) == 0 {
					all = [][]byte{check.MustBinary(gameagent.Challenge{Challenge: 5})}
				}
				return all
			}
			return right(from, req)
		}), "gameagent-master/1.12"},
		{"forgets changes", rewritten('u', func([]byte) []byte { return nil }), "gameagent-master/1.14"},
		{"wants one byte", rewritten('e', edited(`^..+`, "")), "gameagent-master/3.1"},
		{"answers unknown types", rewritten(0xff, edited(`^.$`, "q")), "gameagent-master/3.2"},
		{"pads challenges", replied(edited(`^\x01.*`, "$0"+strings.Repeat("\x00", 100))), "gameagent-master/4.1"},
		{"keeps servers that join again", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if len(req) == 1 && req[0] == 'q' {
				req = []byte{'u'}
				if all := right(from, req); all != nil {
					return all
				}
				return [][]byte{check.MustBinary(gameagent.Challenge{Challenge: 5})}
			}
			return right(from, req)
		}), "gameagent-master/5.1"},
		{"keeps servers for ever", func(m *toyMaster) { m.wait = func(time.Duration) {} }, "gameagent-master/1.15"},
		{"lists legacy servers unasked", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			all := right(from, req)
			if _, err := gamespy1.ParseHeartbeat(req); err == nil {
				right(from, []byte(`\gamename\x\final\\queryid\1.1`))
			}
			return all
		}), "gameagent-master/6.2"},
		{"has one greeting", func(m *toyMaster) {
			right, secure := m.talk, ""
			m.talk = func(sent []byte) []byte {
				r, err := gamespy1.ParseListRequest(sent)
				if err == nil && r.Validate == gamespy1.Validate("GHIJKL", gamespy1.SeriousSamKey) {
					r.Validate = gamespy1.Validate(secure, gamespy1.SeriousSamKey)
					sent = check.MustBinary(r)
				}
				b := right(sent)
				if g, err := gamespy1.ParseGreeting(b); err == nil && sent == nil {
					secure = g.Secure
					b = check.MustBinary(gamespy1.Greeting{Secure: "GHIJKL"})
				}
				return b
			}
		}, "gameagent-master/6.8"},
		{"has no list in text", streamed(edited(`^\\ip\\.*`, "")), "gameagent-master/6.4"},
		{"does not check clients", func(m *toyMaster) {
			right, secure := m.talk, ""
			m.talk = func(sent []byte) []byte {
				if r, err := gamespy1.ParseListRequest(sent); err == nil {
					r.Validate = gamespy1.Validate(secure, gamespy1.SeriousSamKey)
					sent = check.MustBinary(r)
				}
				b := right(sent)
				if g, err := gamespy1.ParseGreeting(b); err == nil && sent == nil {
					secure = g.Secure
				}
				return b
			}
		}, "gameagent-master/6.5"},
		{"forgets heartbeats", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if h, err := gameagent.ParseHeartbeat(req); err == nil && h.Challenge == 0 && from == addresses()[1] {
				return nil
			}
			return right(from, req)
		}), "gameagent-master/1.15"},
		{"wants a request in one packet", func(m *toyMaster) { m.isCut = func([]byte) bool { return false } },
			"gameagent-master/6.1"},
		{"has one list for all games", sends(edited(`no such game`, "serioussamse")), "gameagent-master/6.10"},
		{"has legacy ports in the other order", streams(func(sent, b []byte) []byte {
			l, err := gamespy1.ParseServerList(b)
			if sent == nil || err != nil || bytes.HasPrefix(b, []byte(`\ip\`)) {
				return b
			}
			for i, at := range l.Servers {
				l.Servers[i] = netip.AddrPortFrom(at.Addr(), at.Port()<<8|at.Port()>>8)
			}
			return check.MustBinary(l)
		}), "gameagent-master/6.3"},
		{"floods for legacy heartbeats", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			all := right(from, req)
			if _, err := gamespy1.ParseHeartbeat(req); err == nil {
				all = append(all, make([]byte, 200))
			}
			return all
		}), "gameagent-master/6.9"},
		{"keeps legacy servers that stop", responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
			if h, err := gamespy1.ParseHeartbeat(req); err == nil && h.StateChanged {
				return nil
			}
			return right(from, req)
		}), "gameagent-master/6.11"},
	}
}

// takesChallenge also takes wrong challenges.
func takesChallenge(take func(want, got int32) bool) func(*toyMaster) {
	challenges := map[netip.AddrPort]int32{}
	return responding(func(right respond, from netip.AddrPort, req []byte) [][]byte {
		h, err := gameagent.ParseHeartbeat(req)
		if err == nil && challenges[from] != 0 && take(challenges[from], h.Challenge) {
			h.Challenge = challenges[from]
			req = check.MustBinary(h)
		}
		all := right(from, req)
		for _, b := range all {
			if c, err := gameagent.ParseChallenge(b); err == nil {
				challenges[from] = c.Challenge
			}
		}
		return all
	})
}
