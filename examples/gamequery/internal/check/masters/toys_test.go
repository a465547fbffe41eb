package masters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// addresses are where the servers of the cases are.
func addresses() []netip.AddrPort {
	return []netip.AddrPort{
		netip.MustParseAddrPort("192.0.2.7:50000"), netip.MustParseAddrPort("192.0.2.7:50001"),
		netip.MustParseAddrPort("198.51.100.8:50000"),
	}
}

// A toyMaster is a small master, or a mutant of one. The servers of the cases answer its
// queries at once.
type toyMaster struct {
	respond func(from netip.AddrPort, req []byte) [][]byte
	talk    func(sent []byte) []byte // nil is sent first
	wait    func(d time.Duration)
	answer  check.Answerer
	isCut   func(sent []byte) bool // the start of a request
}

func (m *toyMaster) Ask(source int, request []byte, _ check.Whole, _ bool) (answers [][]byte, err error) {
	for _, b := range m.respond(addresses()[source], request) {
		replies := m.answer(source, netip.MustParseAddrPort("192.0.2.1:27900"), b)
		if replies == nil {
			answers = append(answers, b)
		}
		for _, reply := range replies {
			m.respond(addresses()[source], reply)
		}
	}
	return answers, nil
}

// Dial fails: the cases converse.
func (m *toyMaster) Dial(int) (*check.Line, error) { return nil, fuzzharness.ErrSilent }

func (m *toyMaster) Address(source int) netip.AddrPort { return addresses()[source] }

func (m *toyMaster) Send(source int, b []byte) { _, _ = m.Ask(source, b, check.One, false) }

func (m *toyMaster) Wait(d time.Duration) { m.wait(d) }

// Renew does nothing: a master knows servers by their ports.
func (m *toyMaster) Renew() {}

// Pause does nothing: lists change at once.
func (m *toyMaster) Pause(int) {}

// Hasten does nothing.
func (m *toyMaster) Hasten() {}

func (m *toyMaster) Converse(say func([]byte) []byte, isWhole func([]byte) bool) ([]byte, error) {
	heard := m.talk(nil)
	var request []byte
	for sent := say(heard); sent != nil; sent = say(heard) {
		request = append(request, sent...)
		if !m.isCut(request) {
			heard = append(heard, m.talk(request)...)
			request = nil
		}
	}
	if isWhole != nil {
		isWhole(heard)
	}
	return heard, nil
}

func toyGame() Game { return Game{"gmtest", "HA6zkS"} }

// A toyEntry is a server that a toy knows.
type toyEntry struct {
	key       [4]byte
	challenge string
	heartbeat qr2.Heartbeat
	at        time.Duration
}

// lookup returns the value of a key of the heartbeat.
func (e *toyEntry) lookup(key string) (value string, ok bool) {
	for _, kv := range e.heartbeat.Info {
		if kv.Key == key {
			value, ok = kv.Value, true
		}
	}
	return value, ok
}

// toyGameSpyMaster returns a right master of GameSpy.
func toyGameSpyMaster() *toyMaster {
	servers, pending := map[netip.AddrPort]*toyEntry{}, map[netip.AddrPort]*toyEntry{}
	count, now := 0, time.Duration(0)
	var last sb2.Cipher
	m := &toyMaster{wait: func(d time.Duration) {
		now += d
		for at, e := range servers {
			if now-e.at > 2*time.Minute {
				delete(servers, at)
			}
		}
	}}
	m.isCut = func(sent []byte) bool {
		_, _, err := sb2.NextFrame(sent, sb2.MaxRequest)
		return errors.Is(err, lobbywire.ErrTruncated)
	}
	m.respond = func(from netip.AddrPort, req []byte) [][]byte {
		known := servers[from]
		message, err := qr2.ParseToMaster(req)
		if err != nil {
			return nil
		}
		switch r := message.(type) {
		case qr2.AvailabilityRequest:
			return [][]byte{check.MustBinary(qr2.AvailabilityAnswer{})}
		case qr2.Heartbeat:
			identity := r.Identity()
			switch {
			case identity.GameName != toyGame().Name:
				return nil
			case known != nil && known.key == r.Key && identity.State == qr2.StateShutdown:
				delete(servers, from)
				return nil
			case known != nil && known.key == r.Key:
				known.heartbeat, known.at = r, now
				return nil
			case identity.State == qr2.StateShutdown:
				return nil
			}
			count++
			text := qr2.ChallengeText{Random: fmt.Sprintf("%06d", count*7919%1000000), Addr: from}
			e := &toyEntry{r.Key, string(text.AppendTo(nil)), r, now}
			answer := check.MustBinary(qr2.Challenge{Key: r.Key, Text: e.challenge})
			if len(answer) > len(req) {
				return nil
			}
			pending[from] = e
			return [][]byte{answer}
		case qr2.ChallengeAnswer:
			waits := pending[from]
			if waits == nil || waits.key != r.Key {
				return nil
			}
			delete(pending, from)
			if r.Text != string(qr2.AppendAnswer(nil, waits.challenge, toyGame().Key)) {
				return [][]byte{check.MustBinary(qr2.AddError{Key: r.Key, Code: 1, Text: "wrong"})}
			}
			servers[from] = waits
			return [][]byte{check.MustBinary(qr2.Registered{Key: r.Key})}
		case qr2.Keepalive:
			if known != nil && known.key == r.Key {
				known.at = now
				return [][]byte{check.MustBinary(qr2.KeepaliveAnswer{Key: r.Key, HasTime: true})}
			}
		}
		return nil
	}
	m.talk = func(sent []byte) []byte {
		frame, _, err := sb2.NextFrame(sent, sb2.MaxRequest)
		if err != nil {
			return nil
		}
		message, _ := sb2.ParseRequest(frame)
		if r, ok := message.(sb2.RulesRequest); ok && servers[r.Addr] != nil {
			push := sb2.PushServer{Server: sb2.Server{
				IP: r.Addr.Addr(), Port: r.Addr.Port(), Flags: sb2.FlagPort | sb2.FlagRules,
				Rules: servers[r.Addr].heartbeat.GameInfo(),
			}}
			b := check.MustBinary(push)
			last.Encrypt(b, b)
			return b
		}
		request, ok := message.(sb2.ListRequest)
		if !ok || request.ForGame != toyGame().Name || request.FromGame != toyGame().Name {
			return nil
		}
		count++
		list := sb2.List{
			ClientIP: addresses()[2].Addr(), DefaultPort: 6500, NoList: request.Options&sb2.OptionNoList != 0,
		}
		condition, err := filter.ParseFilter([]byte(request.Filter))
		if err != nil {
			list.DefaultPort, list.Error = sb2.ErrorPort, "invalid filter"
		}
		names := slices.Collect(request.Fields.All())
		if err == nil && !list.NoList {
			for _, name := range names {
				list.Keys = append(list.Keys, sb2.Key{Name: name})
			}
			for at, e := range servers {
				full := request.Options&sb2.OptionLimit != 0 && len(list.Servers) >= int(request.MaxServers)
				if full || request.Filter != "" && !condition.Match(e.lookup) {
					continue
				}
				s := sb2.Server{IP: at.Addr(), Port: at.Port(), Flags: sb2.FlagPort | sb2.FlagFields}
				for _, name := range names {
					value, _ := e.lookup(name)
					s.Fields = append(s.Fields, sb2.KeyValue{Key: name, Value: value})
				}
				list.Servers = append(list.Servers, s)
			}
		}
		head := sb2.Head{Random: []byte("random"), Challenge: fmt.Appendf(nil, "%025d", count)}
		return encodeToy(head, list, request, toyGame().Key, &last)
	}
	return m
}

// encodeToy returns an answer, and the cipher after it.
func encodeToy(head sb2.Head, list sb2.List, request sb2.ListRequest, secret string, after *sb2.Cipher) []byte {
	b := check.MustBinary(head)
	*after, _ = sb2.NewCipher(secret, request.Challenge, head.Challenge)
	body := check.MustBinary(list)
	after.Encrypt(body, body)
	return append(b, body...)
}

// toyGameAgentMaster returns a right master of GameAgent.
func toyGameAgentMaster() *toyMaster {
	native, challenges, legacy := map[netip.AddrPort]time.Duration{}, map[netip.AddrPort]int32{}, map[netip.AddrPort]bool{}
	game := Game{"serioussamse", gamespy1.SeriousSamKey}
	count, now, secure := int32(0x1234567), time.Duration(0), ""
	m := &toyMaster{wait: func(d time.Duration) {
		now += d
		for at, seen := range native {
			if now-seen > 5*time.Minute {
				delete(native, at)
			}
		}
	}}
	m.isCut = func(sent []byte) bool { return bytes.Count(sent, []byte(`\final\`)) < 2 }
	m.respond = func(from netip.AddrPort, req []byte) [][]byte {
		challenge := func() [][]byte {
			count += 0x10203
			challenges[from] = count
			return [][]byte{check.MustBinary(gameagent.Challenge{Challenge: count})}
		}
		if _, err := gamespy1.ParseStatus(req); err == nil {
			legacy[from] = true
			return nil
		}
		if _, err := gamespy1.ParseHeartbeat(req); err == nil {
			delete(legacy, from)
			return [][]byte{check.MustBinary(gamespy1.Request{Query: gamespy1.QueryStatus})}
		}
		message, err := gameagent.ParseToMaster(req)
		_, listed := native[from]
		if err != nil {
			return nil
		}
		switch r := message.(type) {
		case gameagent.Join:
			delete(native, from)
			return challenge()
		case gameagent.StateChanged:
			if !listed {
				return challenge()
			}
		case gameagent.Heartbeat:
			switch {
			case listed || r.Challenge != 0 && r.Challenge == challenges[from]:
				native[from] = now
			case r.Challenge == 0:
				return challenge()
			}
		case gameagent.ListRequest:
			list := gameagent.ServerList{}
			for at := range native {
				list.Servers = append(list.Servers, gameagent.GameAddr(at))
			}
			return [][]byte{check.MustBinary(list)}
		}
		return nil
	}
	m.talk = func(sent []byte) []byte {
		if sent == nil {
			count++
			secure = fmt.Sprintf("%06X", count&0xffffff)
			return check.MustBinary(gamespy1.Greeting{Secure: secure})
		}
		r, err := gamespy1.ParseListRequest(sent)
		isRight := r.GameName == game.Name && r.Validate == gamespy1.Validate(secure, game.Key)
		if err != nil || !isRight || r.ListName != game.Name {
			return nil
		}
		var all []netip.AddrPort
		for at := range legacy {
			all = append(all, at)
		}
		if r.List == gamespy1.ListCompact {
			return check.MustBinary(gamespy1.ServerList{Servers: all})
		}
		return check.MustBinary(gamespy1.AddressList{Servers: all})
	}
	return m
}

// check runs all cases against a toy, also slow ones.
func (m *toyMaster) check(suite *check.Suite, ids ...string) check.Report {
	m.answer = suite.Answer
	for i := range suite.Cases {
		suite.Cases[i].Slow = false
	}
	return suite.Run(context.Background(), m, check.Options{Robust: true, Match: ids})
}

// The right toys pass all cases.
func TestToyMastersPass(t *testing.T) {
	checktest.Passes(t, toyGameSpyMaster().check(gameSpySuite(toyGame())))
	checktest.Passes(t, toyGameAgentMaster().check(gameAgentSuite(Game{})))
}

// A failingMaster cannot be reached after a keepalive.
type failingMaster struct {
	*toyMaster
	err error
}

func (m *failingMaster) Ask(source int, request []byte, isWhole check.Whole, must bool) ([][]byte, error) {
	if _, err := qr2.ParseKeepalive(request); err == nil {
		m.err = errors.New("the network is down")
	}
	if m.err != nil {
		return nil, m.err
	}
	return m.toyMaster.Ask(source, request, isWhole, must)
}

// A master that cannot be reached does not fail all cases that are left.
func TestUnreachableMasterEndsTheRun(t *testing.T) {
	suite, m := gameSpySuite(toyGame()), &failingMaster{toyMaster: toyGameSpyMaster()}
	m.answer = suite.Answer
	r := suite.Run(t.Context(), m, check.Options{})
	last := r.Findings[len(r.Findings)-1]
	if !errors.Is(last.Err, check.ErrDied) || !errors.Is(last.Err, m.err) || r.Stopped == "" {
		t.Errorf("%s %s: %v; stopped: %q", last.ID, last.Result, last.Err, r.Stopped)
	}
}
