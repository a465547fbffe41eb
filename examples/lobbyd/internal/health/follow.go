package health

import (
	"context"
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// An item is a listed server as its master describes it.
type item struct {
	catalogue.Entry
	claim claim
	reach catalogue.Reach             // as its master has checked it; "" if it does not
	probe func(context.Context) error // probes it; nil if that is impossible
	game  netip.AddrPort              // for GameAgent, to query its status
}

// toUTF8 converts the texts of an entry that no game's encoding has converted.
func toUTF8(e *catalogue.Entry) {
	for _, text := range []*string{&e.Game, &e.Name, &e.Map, &e.Mode, &e.Version} {
		*text = lobbywire.UTF8(*text)
	}
	for i := range e.Fields {
		f := &e.Fields[i]
		f.Name, f.Value = lobbywire.UTF8(f.Name), lobbywire.UTF8(f.Value)
	}
}

// A look collects what one look finds.
type look struct {
	now       time.Time
	number    uint64
	readsAll  bool // the encodings of texts have changed
	judgesAll bool // the rules have changed, or whether the lists are public

	put  []*catalogue.Entry
	gone []string

	public    int     // servers at public addresses
	natives   []call  // queries for a status
	restored  soonest // probes of restored servers
	others    soonest // other probes
	unchecked int     // restored servers that are being checked
}

// A server holds what the Watcher knows about a listed server between looks.
type server struct {
	shown    *catalogue.Entry // in the catalogue; nil at first
	claim    claim
	reach    catalogue.Reach
	probe    func(context.Context) error
	game     netip.AddrPort
	verified bool

	look       uint64    // the number of the last look that has found it
	heard      time.Time // when it last sent something
	until      time.Time // when it expires without another sign of life
	moved      time.Time // when a look has found that heard has changed
	member     *member   // of a crowd
	generation uint64    // of member, when it was last judged
	isPublic   bool      // it is listed at a public address

	visit visit
}

// A list is a follower of any family.
type list interface {
	look(w *Watcher, l *look)
	review()
}

// A follower follows the list of a master, with entries E and keys K.
type follower[E any, K comparable] struct {
	family catalogue.Family
	all    func() iter.Seq[E]
	item   func(E) item
	same   func(a, b E) bool // apart from when they were last heard of
	facts  func(E) facts[K]
	admit  func(keys ...K) // the Review of the master

	known map[K]*followed[E]
	wrong []K // servers that the master lists or withholds wrongly
}

// facts are the values of each entry that a look needs.
type facts[K any] struct {
	key      K
	seen     time.Time
	until    time.Time
	withheld bool
}

// followed is a server with its entry at the last look.
type followed[E any] struct {
	server
	last E
}

// look reads the entries that have changed, judges the servers whose judgement may have
// changed, and forgets removed servers.
func (f *follower[E, K]) look(w *Watcher, l *look) {
	if f.known == nil {
		f.known = make(map[K]*followed[E])
	}
	found := 0
	for e := range f.all() {
		is := f.facts(e)
		s := f.known[is.key]
		if s == nil {
			s = new(followed[E])
			f.known[is.key] = s
		}
		if s.look == l.number {
			continue // a master may list a server twice that reconnects meanwhile
		}
		found++
		s.look = l.number
		if !is.seen.Equal(s.heard) {
			s.heard, s.moved = is.seen, l.now
		}
		s.until = is.until
		if hasNews := s.visit.news.Swap(false); hasNews || l.readsAll || s.shown == nil || !f.same(s.last, e) {
			w.read(l, f.family, &s.server, f.item(e))
		} else if w.mustJudge(l, &s.server) {
			w.judge(l, &s.server, *s.shown)
		}
		s.last = e
		if is.withheld != (s.shown.Quarantine != "") {
			f.wrong = append(f.wrong, is.key)
		}
		w.mayProbe(l, &s.server)
		if s.isPublic {
			l.public++
		}
	}
	if found == len(f.known) {
		return
	}
	for k, s := range f.known {
		if s.look != l.number {
			delete(f.known, k)
			w.forget(l, &s.server)
		}
	}
}

// review makes the master list or withhold servers as they were judged.
func (f *follower[E, K]) review() {
	if len(f.wrong) > 0 {
		f.admit(f.wrong...)
		f.wrong = nil
	}
}

// read takes over the master's values of a server.
func (w *Watcher) read(l *look, family catalogue.Family, s *server, x item) {
	toUTF8(&x.Entry)
	switch {
	case !x.Since.IsZero():
	case s.shown != nil:
		x.Since = s.shown.Since
	default:
		x.Since = l.now
	}
	if s.shown == nil || s.claim.from != x.claim.from || s.claim.plain() != x.claim.plain() {
		s.member.leave()
		s.member = w.last.crowds.add(family, x.claim, x.Since)
	}
	s.claim, s.reach, s.probe, s.game, s.verified = x.claim, x.reach, x.probe, x.game, x.Verified
	w.publish(&x.Entry)
	x.At = x.claim.at
	w.judge(l, s, x.Entry)
}

// SeenEvery is how far the Seen of an entry in the catalogue may lag behind the last message of its
// server.
const SeenEvery = 15 * time.Second

// settle is how long the node of a server may be unknown after the server was heard of.
const settle = 5 * time.Second

// mustJudge reports whether a judgement of a server that has not changed may have another result.
func (w *Watcher) mustJudge(l *look, s *server) bool {
	return l.judgesAll || s.shown.Quarantine == "" && w.last.rules != nil && w.last.rules.waitsTooLong(s.claim, l.now) ||
		s.member.generation() != s.generation || s.heard.Sub(s.shown.Seen).Abs() >= SeenEvery ||
		s.shown.Saved != catalogue.Live && w.savedState(s) != s.shown.Saved ||
		w.Origin != nil && l.now.Sub(s.moved) < settle && w.nodeOf(s) != s.shown.Node
}

// judge shows a server in the catalogue as e, with the findings of the Watcher.
func (w *Watcher) judge(l *look, s *server, e catalogue.Entry) {
	found := w.Judge.fault(e.Family, s.claim)
	s.generation = s.member.generation()
	e.Cause, e.Quarantine, e.Pattern = found.cause, found.text, found.pattern
	e.Seen = s.heard
	wasLocal := s.shown != nil && s.shown.Local
	s.shown = &e
	e.Node = w.nodeOf(s)
	e.Saved = w.savedState(s)
	e.Verified = s.verified && e.Saved != catalogue.Unchecked
	// Servers of Bomberman only claim their port, which may be another's at a shared address.
	e.Official = e.Verified && e.Family != catalogue.Bomberman && w.Judge.Rules().Official[s.claim.host()]
	e.Reach = w.reachOf(s)
	w.locate(s, wasLocal)
	l.put = append(l.put, &e)
}

// forget forgets a server that has left the list.
func (w *Watcher) forget(l *look, s *server) {
	l.gone = append(l.gone, s.shown.ID)
	if w.OnLeft != nil {
		w.OnLeft(s.shown, s.heard, s.whyLeft(l.now))
	}
	s.member.leave()
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	s.visit.isGone = true
}

// publish replaces the address of a server by its address for players.
func (w *Watcher) publish(e *catalogue.Entry) {
	if w.Public == nil {
		return
	}
	at, err := netip.ParseAddrPort(e.Address)
	if err == nil { // otherwise it is a host name, or only players may know it
		e.Address = w.Public(at).String()
	}
}

func (w *Watcher) savedState(s *server) catalogue.Saved {
	if w.Saved == nil {
		return catalogue.Live
	}
	return w.Saved.State(s.shown.Family, s.claim.key)
}

func (w *Watcher) nodeOf(s *server) string {
	if w.Origin != nil {
		if node := w.Origin(s.shown.Family, s.claim.key); node != "" {
			return node
		}
	}
	return w.Node
}
