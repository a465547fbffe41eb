package warzone

import (
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListReply answers a [ListRequest]. Versions added parts to its end:
//   - the number of games, and the games
//   - since 3.1, a [Status]
//   - since 2020, parameters, the number of games in a second batch, and those
//     games
//
// A reply may end after each of these parts, and after parameters.
// The lobby then closes the connection, or leaves it open and stays silent.
//
// A reply for all clients from 2.2 to 4.6 contains a Status, and Batches with
// [IgnoreFirstBatch] as Parameters and a First of at most [MaxFirstBatch]: clients since
// 2020 show all games, and older ones the first few.
//
//wire:message
type ListReply struct {
	// Games are the games that a client shows; Batches divides them. All have a version
	// word, or all are of Layout20, or all of Layout21. Reading skips games with a Size of
	// 0, and writing refuses them.
	Games []Game

	// Status is nil in replies to clients up to 3.0. Later clients show no games
	// without it.
	Status *Status

	// Batches is nil if there is one batch, Games.
	Batches *Batches

	// Skipped is the number of games of unknown versions that reading has left out. Writing
	// refuses such a list.
	Skipped int
}

// IgnoreFirstBatch is the bit of [Batches.Parameters] that makes the second
// batch replace the first. Without it, the second batch continues the first. The
// other bits are reserved.
const IgnoreFirstBatch = 1

// Batches divides the games of a [ListReply] into two batches. Clients before
// 2020 only read the first.
type Batches struct {
	Parameters uint32 // IgnoreFirstBatch or 0

	// First is the number of games in the first batch, Games[:First]. The second
	// batch is all of Games with IgnoreFirstBatch, and Games[First:] without it.
	First int

	// Ignored is the first batch if it is not the start of Games. It requires
	// IgnoreFirstBatch and a First of 0.
	Ignored []Game
}

// decode expects a reply that has ended; see [ListReplyEnd].
//
// The first game determines the layout of all. Unless Strict, games of unknown versions are
// left out, which is possible because all known versions have the same size. If nothing
// follows parameters without [IgnoreFirstBatch], the second batch is missing: some lobbies
// end a reply with a zero word.
func (m *ListReply) decode(r *wire.Reader, o Options) {
	var d batchReader
	m.Games, m.Skipped = d.games(r, o, "games")
	if o.Strict && len(m.Games) > maxFirstBatch(r.Len() > 0) {
		r.Exceed("games.count", 0, len(m.Games), maxFirstBatch(r.Len() > 0))
	}
	if d.cut {
		r.Skip(r.Len(), "rest")
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
	second, skipped := d.games(r, o, "secondBatch")
	if d.cut {
		r.Skip(r.Len(), "rest")
	}
	r.End()
	if parameters&IgnoreFirstBatch != 0 {
		m.Skipped = 0
	}
	m.Skipped += skipped
	m.join(parameters, second)
}

// join adds the second batch to Games, which is the first.
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

// A batchReader reads the batches of one reply. It finds their layout in the
// first game.
type batchReader struct {
	layout Layout
	known  bool
	cut    bool // by Options.Part; the rest is not read
}

// start reads the number of games in a batch.
func (d *batchReader) start(r *wire.Reader, o Options) (n int) {
	at := r.Offset()
	count := r.Uint32("count")
	if most := o.maxGames(); count > most {
		if next := r.Peek(); !o.Part || count > maxCount && len(next) >= 4 && !isVersionWord(next) {
			r.Fail(wire.Exceeded(count, int(most)), "count", at)
			return 0
		}
		count = most
		d.cut = true
	}
	if count > 0 && !d.known {
		d.layout = o.layoutOf(r.Peek())
		d.known = true
	}
	return int(count)
}

// games reads a batch, and counts the games that it leaves out. The remaining bytes bound its
// allocation.
func (d *batchReader) games(r *wire.Reader, o Options, name string) (games []Game, skipped int) {
	r.In(name, -1)
	n := d.start(r, o)
	games = make([]Game, 0, min(n, r.Len()/d.layout.gameSize()+1))
	for i := 0; i < n && !r.Failed(); i++ {
		r.In(name, i)
		if o.Part && r.Len() < d.layout.gameSize() {
			d.cut = true
			break
		}
		if !o.Strict && d.layout == LayoutVersioned && isOtherVersion(r.Peek()) {
			r.Skip(d.layout.gameSize(), "unknownVersion")
			skipped++
			continue
		}
		at := r.Offset()
		games = append(games, Game{})
		g := &games[len(games)-1]
		g.decodeAs(r, o, d.layout)
		if g.Size != 0 {
			continue
		}
		if o.Strict {
			r.Refuse("size", at+d.layout.sizeOffset(), "is 0, as in a place without a game")
		}
		games = games[:len(games)-1]
	}
	r.In("", -1)
	return games, skipped
}

// ListReplyEnd finds the end of the list reply that b starts with, for a client
// that is still reading it.
//
// ParseListReply(b[:end]) is the reply unless more bytes arrive, for which the client may
// wait a while. If whole is true, no more can follow. If the reply cannot end within b, the
// error is [lobbywire.ErrTruncated] itself; any other error is final. ListReplyEnd does not
// check the games.
func ListReplyEnd(b []byte) (end int, whole bool, err error) { return Options{}.ListReplyEnd(b) }

// ListReplyEnd is the function [ListReplyEnd] with these options.
func (o Options) ListReplyEnd(b []byte) (end int, whole bool, err error) {
	r := wire.NewReader(b)
	var d batchReader
	d.skip(&r, o, "games")
	if !r.Failed() && !d.cut {
		end = r.Offset()
		r.In("status", -1)
		r.Skip(new(Status).decodeSize(&r), "")
	}
	if !r.Failed() && !d.cut {
		end = r.Offset()
		if r.Uint32("parameters")&IgnoreFirstBatch != 0 {
			end = 0
		} else if !r.Failed() && !o.Strict {
			end = r.Offset()
		}
		d.skip(&r, o, "secondBatch")
	}
	if d.cut {
		end = 0 // the batch is read up to its limit
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

// skip skips a batch.
func (d *batchReader) skip(r *wire.Reader, o Options, name string) {
	r.In(name, -1)
	n := d.start(r, o)
	r.Skip(n*d.layout.gameSize(), "")
}

// maxFirstBatch returns the limit of AppendBinary for the first batch.
func maxFirstBatch(withStatus bool) int {
	if withStatus {
		return MaxFirstBatch
	}
	return maxLegacyBatch
}

// append fails if Skipped is not 0; if [Game.AppendBinary] refuses a game, or if a game has
// a Size of 0 or a layout other than the first game's; if a batch has more than [MaxGames]
// games, or the first batch more than [MaxFirstBatch], or than 12 without Status; if Status
// is refused; or if Batches contradicts itself or is set without Status.
func (m *ListReply) append(w *wire.Writer) {
	if m.Skipped != 0 {
		w.Refuse("skipped", "is not 0, so games are missing")
	}
	first, name := m.Games, "games"
	second, from := m.Games, 0 // index of its first game
	if p := m.Batches; p != nil {
		continues := p.Parameters&IgnoreFirstBatch == 0
		switch {
		case m.Status == nil:
			w.Refuse("status", "missing, but there are batches")
			return
		case p.First < 0 || p.First > len(m.Games):
			w.Fail(wire.Outside(0, len(m.Games)), "batches.first")
			return
		case p.Ignored != nil && (p.First > 0 || continues):
			w.Refuse("batches.ignored", "belongs to an empty first batch that Parameters tell to ignore")
			return
		case p.Ignored != nil:
			first, name = p.Ignored, "batches.ignored"
		default:
			first = m.Games[:p.First]
		}
		if continues {
			second, from = m.Games[p.First:], p.First
		}
	}
	if most := maxFirstBatch(m.Status != nil); len(first) > most {
		w.Exceed("games.count", len(first), most)
	}
	m.appendBatch(w, name, first, 0)
	if m.Status != nil {
		w.In("status", -1)
		m.Status.append(w)
	}
	if m.Batches != nil {
		w.In("", -1)
		w.Uint32(m.Batches.Parameters)
		m.appendBatch(w, "games", second, from)
	}
}

// appendBatch appends games, which begin at an index of a field.
func (m *ListReply) appendBatch(w *wire.Writer, field string, games []Game, from int) {
	w.In(field, -1)
	if len(games) > MaxGames {
		w.Exceed("count", len(games), MaxGames)
		return
	}
	w.Grow(4 + len(games)*m.layout().gameSize())
	w.Uint32(uint32(len(games)))
	for i := range games {
		w.In(field, from+i)
		g := &games[i]
		if g.Size == 0 {
			w.Refuse("size", "is 0, as in a place without a game")
		}
		if !sameLayout(g.Layout, m.layout()) {
			w.Refuse("layout", "differs from the first game")
		}
		g.append(w)
	}
	w.In("", -1)
}

// layout returns the layout of the first game on the wire.
func (m *ListReply) layout() Layout {
	switch {
	case m.Batches != nil && len(m.Batches.Ignored) > 0:
		return m.Batches.Ignored[0].Layout
	case len(m.Games) > 0:
		return m.Games[0].Layout
	}
	return LayoutVersioned
}

// sameLayout reports whether games of both layouts can be in one list.
func sameLayout(a, b Layout) bool { return a == b || !a.isRecord() && !b.isRecord() }
