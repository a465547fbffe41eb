package health

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A bucket is a Store whose entries other nodes have written.
type bucket[E, K any] struct {
	form   *entries.Form[E, K]
	put    func(E)
	remove func(K)
}

func (b *bucket[E, K]) Put(E)    {}
func (b *bucket[E, K]) Remove(K) {}
func (b *bucket[E, K]) Expire(K) {}

func (b *bucket[E, K]) Watch(put func(E), remove func(K)) (stop func()) {
	b.put, b.remove = put, remove
	return func() {}
}

// deliver passes on an entry that a node has written, if it can be read.
func (b *bucket[E, K]) deliver(k K, body []byte) {
	if e, err := b.form.Decode(k, body); err == nil {
		b.put(e)
	}
}

func body[E, K any](t *testing.T, f *entries.Form[E, K], e E) []byte {
	t.Helper()
	b, err := f.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hostileValues replace members of entries.
var hostileValues = []string{
	`null`, `true`, `-1`, `0`, `1e308`, `-9223372036854775808`, `18446744073709551615`, `253402300800000`,
	`""`, `"\u0000"`,
	`"\ud800"`, `"0.0.0.0:0"`, `"224.0.0.1:7"`, `"[::]:1"`, `"127.0.0.1:22"`, `"fe80::1%eth0"`, `"9999-12-31T23:59:59Z"`,
	`"0001-01-01T00:00:00Z"`, `[]`, `{}`, `"\\\\\\"`, `"//79/A=="`, `"\u202e<script>\u001b[2J"`, `[{},{},{}]`,
	`"` + strings.Repeat("QUFB", 2000) + `"`, strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
}

// spoil replaces members of an entry, also in the objects in it.
func spoil(random *rand.Rand, b []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(b, &members) != nil || len(members) == 0 {
		return b
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name]; {
		case random.IntN(3) > 0:
		case value[0] == '{' && random.IntN(2) > 0:
			members[name] = spoil(random, value)
		default:
			members[name] = json.RawMessage(hostileValues[random.IntN(len(hostileValues))])
		}
	}
	members["latin1"] = json.RawMessage(`["/h","/game/name","/x"]`)
	b, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	if random.IntN(8) == 0 {
		return b[:random.IntN(len(b))]
	}
	return b
}

// Whatever a node writes to a cluster, other nodes list no servers at impossible addresses, keep
// their limits, show only texts, and forget everything once the node stops.
func TestHostileNodeDoesNoHarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 20
		random := rand.New(rand.NewPCG(1, 2))
		agents := &bucket[gamespy1net.Entry, netip.AddrPort]{form: entries.GameAgent()}
		spies := &bucket[gamespy2net.Entry, netip.AddrPort]{form: entries.GameSpy()}
		bombers := &bucket[bombermannet.Entry, uint64]{form: entries.Bomberman()}
		games := &bucket[warzonegames.Entry, uint32]{form: entries.Warzone()}
		w := watcher()
		w.GameAgent = &gamespy1net.Master{Store: agents, Admit: w.Judge.AdmitGameAgent,
			Limits: gamespy1net.MasterLimits{MaxServers: most}}
		w.GameSpy = &gamespy2net.Master{Store: spies, Admit: w.Judge.AdmitGameSpy,
			Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}}, Limits: gamespy2net.MasterLimits{MaxServers: most}}
		w.Bomberman = &bombermannet.ManagementServer{Store: bombers, Admit: w.Judge.AdmitBomberman}
		w.Bomberman.Limits.MaxServers = most
		w.Warzone = &warzonegames.Games{Store: games, Admit: w.Judge.AdmitWarzone,
			Limits: warzonegames.Limits{MaxGames: most}}
		defer w.Warzone.ForLobbies().Share()()
		for range 2 {
			w.look(t.Context(), time.Now()) // the masters watch their Stores
		}
		now := time.Now()
		at := netip.MustParseAddrPort("192.0.2.1:6500")
		seeds := map[string][]byte{
			"agent": body(t, agents.form, gamespy1net.Entry{Game: at, Seen: now, Heartbeat: "0;challenge;0;players;1",
				Status: `\gamename\serioussamse\hostname\Duel\numplayers\3\final\\queryid\1.1`, GameName: "serioussamse"}),
			"spy": body(t, spies.form, gamespy2net.Entry{Game: "gmtest", Addr: at, Seen: now,
				Heartbeat: "\x03abcdhostname\x00Duel\x00gamename\x00gmtest\x00numplayers\x003\x00\x00"}),
			"bomber": body(t, bombers.form, bombermannet.Entry{ID: 7, Seen: now}),
			"game": body(t, games.form, warzonegames.Entry{ID: 7, Key: at, Seen: now, Opened: now, Expires: now.Add(time.Minute),
				Game: warzone.Game{Version: warzone.Version4, Name: "Duel", MapName: "Rush", MaxPlayers: 4}}),
		}
		for i := range suite.Pick(1000, 100_000) {
			addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{byte(random.Uint32()), byte(random.Uint32()), 2, byte(i)}),
				uint16(random.Uint32()))
			deliver := func(name string) []byte {
				if i%50 == 0 {
					return seeds[name]
				}
				return spoil(random, seeds[name])
			}
			agents.deliver(addr, deliver("agent"))
			spies.deliver(addr, deliver("spy"))
			bombers.deliver(random.Uint64(), deliver("bomber"))
			games.deliver(random.Uint32(), deliver("game"))
			if i%100 == 0 {
				w.look(t.Context(), time.Now())
				checkShown(t, w, most)
				time.Sleep(time.Second)
			}
		}
		var ids []uint32
		for e := range w.Warzone.All() {
			ids = append(ids, e.ID)
		}
		for _, id := range ids {
			games.remove(id) // as the cluster does, which decides when an entry has expired
		}
		time.Sleep(max(gamespy1net.Expiry, gamespy2net.Expiry, bombermannet.Expiry) + time.Minute)
		for range 2 {
			w.look(t.Context(), time.Now())
		}
		if left := w.Catalogue.Snapshot().Entries; len(left) > 0 {
			t.Errorf("%d entries stay, the first is %+v", len(left), left[0])
		}
	})
}

// checkShown checks what the catalogue shows.
func checkShown(t *testing.T, w *Watcher, most int) {
	t.Helper()
	count := map[string]int{}
	for _, e := range w.Catalogue.Snapshot().Entries {
		count[string(e.Family)]++
		for _, text := range []string{e.Game, e.Name, e.Map, e.Mode, e.Version} {
			if !utf8.ValidString(text) {
				t.Errorf("%s shows %q", e.ID, text)
			}
		}
		at, err := netip.ParseAddrPort(e.Address)
		isName := err != nil // of a server of Bomberman, which names its address itself
		if !isName && (at.Port() == 0 || at.Addr().IsUnspecified() || at.Addr().IsMulticast() ||
			at.Addr() == netip.AddrFrom4([4]byte{255, 255, 255, 255})) && e.Family != "bomberman" {
			t.Errorf("%s is listed at %s", e.ID, e.Address)
		}
		if b, err := json.Marshal(e); err != nil || bytes.ContainsAny(b, "\x00\x1b") {
			t.Errorf("%s: %v, %q", e.ID, err, b)
		}
	}
	for family, n := range count {
		if n > most {
			t.Errorf("%d entries of %s, want at most %d", n, family, most)
		}
	}
}
