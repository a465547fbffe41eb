package warzone

import (
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListReply answers a [ListRequest]. It came to have more and more parts, and
// may end after any of these:
//
//	size  field
//	4     games.count, big-endian
//	if that is not 0:
//	n     games, 814 bytes each, or 112 to clients 2.0 and 2.1
//	since 3.1:
//	n     status, a Status
//	since 2020:
//	4     parameters, big-endian
//	4     secondBatch.count, big-endian
//	if that is not 0:
//	n     secondBatch, games
//
// The lobby then closes the connection, or leaves it open and is silent.
// [NewListReply] makes a reply.
//
//wire:message
type ListReply struct {
	// Games are those that a client shows, of both batches as Batches says. All
	// have a version word, or all are of Layout20 or of Layout21. Those with a
	// Size of 0 are passed over in reading and refused in writing.
	Games []Game

	// Status is nil in replies to clients up to 3.0. Later clients show nothing
	// without it.
	Status *Status

	// Batches is nil if there is one batch, Games.
	Batches *Batches
}

// IgnoreFirstBatch is the bit of [Batches.Parameters] that makes the second
// batch replace the first; otherwise it continues it. The others are reserved.
const IgnoreFirstBatch = 1

// Batches tells how the games of a [ListReply] are spread over two batches.
// Clients before 2020 see the first only.
type Batches struct {
	Parameters uint32 // IgnoreFirstBatch or 0

	// First is how many games the first batch has: Games[:First]. The second
	// has all of Games with IgnoreFirstBatch, Games[First:] without it.
	First int

	// Ignored is the first batch if it is not the start of Games. It needs
	// IgnoreFirstBatch, and First is 0 then.
	Ignored []Game
}

// NewListReply returns a reply that suits all clients since 2.2: with all games
// for those since 2020, and the first 11, [MaxFirstBatch], for older ones, who
// ignore what follows those or the status. The games must be of 814 bytes; the
// reply shares the slice.
func NewListReply(games []Game, status Status) ListReply {
	return ListReply{
		Games:   games,
		Status:  &status,
		Batches: &Batches{Parameters: IgnoreFirstBatch, First: min(len(games), MaxFirstBatch)},
	}
}

// decode expects a reply that has ended; see [ListReplyEnd].
//
// The first game determines the layout of all. If nothing follows parameters
// without [IgnoreFirstBatch], the second batch is missing: some lobbies end a
// reply with a zero word.
func (m *ListReply) decode(r *wire.Reader, o Options) {
	var d batchReader
	m.Games = d.games(r, o, "games")
	if o.Strict && len(m.Games) > maxFirstBatch(r.Len() > 0) {
		r.Fail(lobbywire.ErrTooLarge, "games.count", 0)
	}
	if r.Len() == 0 {
		return
	}
	m.Status = new(Status)
	r.In("status", -1)
	m.Status.decodeBlock(r, o)
	r.In("", -1)
	if r.Len() == 0 {
		return
	}
	parameters := r.Uint32("parameters")
	if r.Len() == 0 && parameters&IgnoreFirstBatch == 0 && !o.Strict {
		return
	}
	second := d.games(r, o, "secondBatch")
	r.End()
	m.join(parameters, second)
}

// join adds the second batch to the first, which is Games.
func (m *ListReply) join(parameters uint32, second []Game) {
	first := m.Games
	m.Batches = &Batches{Parameters: parameters, First: len(first)}
	switch {
	case parameters&IgnoreFirstBatch == 0:
		m.Games = append(first, second...)
	case len(first) <= len(second) && slices.Equal(first, second[:len(first)]):
		m.Games = second
	default:
		m.Games = second
		m.Batches.First = 0
		m.Batches.Ignored = first
	}
}

// A batchReader reads the batches of one reply.
type batchReader struct {
	layout Layout
	known  bool
}

// start reads the number of games and finds out their layout.
func (d *batchReader) start(r *wire.Reader, o Options) (n int) {
	at := r.Offset()
	count := r.Uint32("count")
	if count > o.maxGames() {
		r.Fail(lobbywire.ErrTooLarge, "count", at)
		return 0
	}
	if count > 0 && !d.known {
		d.layout = o.layoutOf(r.Peek())
		d.known = true
	}
	return int(count)
}

// games reads a batch. What is allocated is bounded by what is left.
func (d *batchReader) games(r *wire.Reader, o Options, name string) []Game {
	r.In(name, -1)
	n := d.start(r, o)
	games := make([]Game, 0, min(n, r.Len()/d.layout.gameSize()+1))
	for i := 0; i < n && !r.Failed(); i++ {
		r.In(name, i)
		at := r.Offset()
		games = append(games, Game{})
		g := &games[len(games)-1]
		g.decodeAs(r, o, d.layout)
		if g.Size != 0 {
			continue
		}
		if o.Strict {
			l, _ := g.Layout.of(g.Version)
			r.Fail(lobbywire.ErrInvalid, "size", at+l.sizeOffset())
		}
		games = games[:len(games)-1]
	}
	r.In("", -1)
	return games
}

// ListReplyEnd tells how far a list reply has come of which b is the start, for
// a client that reads it.
//
// ParseListReply(b[:end]) is the reply if no more comes: the client may wait
// for a while. If whole is true, nothing more can come. While there is no place
// in b where the reply may end the error is [lobbywire.ErrTruncated] itself;
// any other error is final. Games are not looked into.
func ListReplyEnd(b []byte) (end int, whole bool, err error) { return Options{}.ListReplyEnd(b) }

// ListReplyEnd tells what the function of that name does.
func (o Options) ListReplyEnd(b []byte) (end int, whole bool, err error) {
	r := wire.NewReader(b)
	var d batchReader
	d.skip(&r, o, "games")
	if !r.Failed() {
		end = r.Offset()
		r.In("status", -1)
		r.Skip(new(Status).decodeSize(&r, o), "")
	}
	if !r.Failed() {
		end = r.Offset()
		if r.Uint32("parameters")&IgnoreFirstBatch != 0 {
			end = 0
		} else if !r.Failed() && !o.Strict {
			end = r.Offset()
		}
		d.skip(&r, o, "secondBatch")
	}
	switch err := r.Err(proto); {
	case err == nil:
		return r.Offset(), true, nil
	case !errors.Is(err, lobbywire.ErrTruncated):
		return 0, false, err
	case end == 0:
		return 0, false, lobbywire.ErrTruncated
	}
	return end, false, nil
}

// skip passes over a batch.
func (d *batchReader) skip(r *wire.Reader, o Options, name string) {
	r.In(name, -1)
	n := d.start(r, o)
	r.Skip(n*d.layout.gameSize(), "")
}

// maxFirstBatch returns how many games the first batch may have in what
// AppendBinary writes.
func maxFirstBatch(withStatus bool) int {
	if withStatus {
		return MaxFirstBatch
	}
	return MaxLegacyBatch
}

// append fails if [Game.AppendBinary] refuses a game, or if a game has a Size
// of 0 or another layout than the first; if a batch has more than [MaxGames]
// games, or the first batch more than [MaxFirstBatch] with Status or
// [MaxLegacyBatch] without; if Status is refused; or if Batches contradicts
// itself or stands without Status.
func (m *ListReply) append(w *wire.Writer) {
	first, second := m.batches(w)
	if len(first.games) > maxFirstBatch(m.Status != nil) {
		w.Fail(lobbywire.ErrTooLarge, "games.count")
	}
	m.appendBatch(w, first)
	if m.Status != nil {
		w.In("status", -1)
		m.Status.append(w)
	}
	if m.Batches != nil {
		w.In("", -1)
		w.Uint32(m.Batches.Parameters)
		m.appendBatch(w, second)
	}
}

// A batch is games and where they are in a ListReply.
type batch struct {
	games []Game
	name  string // of the slice that they are part of
	from  int    // their place in it
}

// batches returns the two batches and refuses what contradicts itself.
func (m *ListReply) batches(w *wire.Writer) (first, second batch) {
	p := m.Batches
	switch {
	case p == nil:
		return batch{m.Games, "games", 0}, batch{}
	case m.Status == nil:
		w.Fail(lobbywire.ErrInvalid, "status")
	case p.First < 0 || p.First > len(m.Games):
		w.Fail(lobbywire.ErrInvalid, "batches.first")
	case p.Ignored != nil && (p.First > 0 || p.Parameters&IgnoreFirstBatch == 0):
		w.Fail(lobbywire.ErrInvalid, "batches.ignored")
	case p.Ignored != nil:
		return batch{p.Ignored, "batches.ignored", 0}, batch{m.Games, "games", 0}
	case p.Parameters&IgnoreFirstBatch != 0:
		return batch{m.Games[:p.First], "games", 0}, batch{m.Games, "games", 0}
	default:
		return batch{m.Games[:p.First], "games", 0}, batch{m.Games[p.First:], "games", p.First}
	}
	return batch{}, batch{}
}

func (m *ListReply) appendBatch(w *wire.Writer, b batch) {
	w.In(b.name, -1)
	if len(b.games) > MaxGames {
		w.Fail(lobbywire.ErrTooLarge, "count")
		return
	}
	w.Grow(4 + len(b.games)*m.layout().gameSize())
	w.Uint32(uint32(len(b.games)))
	for i := range b.games {
		w.In(b.name, b.from+i)
		g := &b.games[i]
		if g.Size == 0 {
			w.Fail(lobbywire.ErrInvalid, "size")
		}
		if !sameLayout(g.Layout, m.layout()) {
			w.Fail(lobbywire.ErrInvalid, "layout")
		}
		g.append(w)
	}
	w.In("", -1)
}

// layout returns the layout of the first game that is written.
func (m *ListReply) layout() Layout {
	switch {
	case m.Batches != nil && len(m.Batches.Ignored) > 0:
		return m.Batches.Ignored[0].Layout
	case len(m.Games) > 0:
		return m.Games[0].Layout
	}
	return LayoutVersioned
}

// sameLayout tells whether games of both layouts can be in one list.
func sameLayout(a, b Layout) bool { return a == b || !a.isRecord() && !b.isRecord() }
