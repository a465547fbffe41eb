package gamespy2

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Assembler makes one [Response] of the datagrams that answer a client, in
// whatever order they arrive: the packets of one answer in split form, or
// several answers in plain form, for which clients ask apart because one packet
// would be too small. Its zero value is ready. It holds at most 128 packets and
// MaxAnswer bytes.
type Assembler struct {
	// Options are for the packets. With Sections, plain answers are complete
	// when they have all of those; otherwise a single one is.
	Options Options

	// MaxAnswer limits the bytes of all packets of a split answer; 0 means
	// [MaxAnswer].
	MaxAnswer int

	packets []Packet // of a split answer, in the order of their numbers
	size    int      // of their bodies
	texts   int      // in their bodies
	plain   Response // what plain answers gave, joined
	isPlain bool     // there was one
}

// Add takes a datagram and tells whether the response is complete. b is not
// kept.
//
// A packet that was added before is ignored. One that contradicts those before
// it is refused with [lobbywire.ErrInvalid] and changes nothing: a split one of
// another id, of another form, of a number after the last, or of the same number
// and not the same body; a plain one with a section that is there and not the
// same. Plain answers may have different ids.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	if len(b) < idEnd || b[0] != byte(TypeQuery) || !isSplit(b[idEnd:]) {
		err = a.addPlain(b)
	} else {
		err = a.addPacket(b)
	}
	return a.done(), err
}

// Offsets of header fields.
const (
	idOffset     = 1
	idEnd        = 5
	numberOffset = 14
	bodyOffset   = 15
)

func (a *Assembler) addPacket(b []byte) error {
	p, err := ParsePacket(b)
	if err != nil {
		return err
	}
	at, found := slices.BinarySearchFunc(a.packets, p.Number, func(p Packet, n uint8) int { return cmp.Compare(p.Number, n) })
	if field, offset, kind := a.conflict(p, at, found); kind != nil {
		return &lobbywire.Error{Proto: proto, Field: field, Offset: offset, Err: kind}
	}
	if found {
		return nil
	}
	if a.packets == nil {
		a.packets = make([]Packet, 0, MaxPackets)
	}
	a.packets = slices.Insert(a.packets, at, p)
	a.size += len(p.Body)
	a.texts += countTexts(p.Body)
	return nil
}

// conflict tells which field of p, if any, does not go with what was added. p
// belongs at index at of the packets, or is found there.
func (a *Assembler) conflict(p Packet, at int, found bool) (field string, offset int, kind error) {
	limit := a.MaxAnswer
	if limit <= 0 {
		limit = MaxAnswer
	}
	n := len(a.packets)
	switch {
	case a.isPlain:
		return "splitnum", idEnd, lobbywire.ErrInvalid
	case n > 0 && p.ID != a.packets[0].ID:
		return "id", idOffset, lobbywire.ErrInvalid
	case found && (p.Last != a.packets[at].Last || string(p.Body) != string(a.packets[at].Body)),
		!found && p.Last && at < n,
		!found && n > 0 && at == n && a.packets[n-1].Last:
		return "number", numberOffset, lobbywire.ErrInvalid
	case a.Options.Strict && p.Number >= MaxPackets:
		return "number", numberOffset, lobbywire.ErrTooLarge
	case !found && len(p.Body) > limit-a.size:
		return "body", bodyOffset, lobbywire.ErrTooLarge
	}
	return "", 0, nil
}

func (a *Assembler) addPlain(b []byte) error {
	o := a.Options
	o.Sections = 0 // which part of them this is must be guessed
	m, err := o.ParseResponse(b)
	if err != nil {
		return err
	}
	if len(a.packets) > 0 {
		return &lobbywire.Error{Proto: proto, Field: "splitnum", Offset: idEnd, Err: lobbywire.ErrInvalid}
	}
	if !a.isPlain {
		a.plain = m
		a.isPlain = true
		return nil
	}
	joined, field := join(a.plain, m)
	if field != "" {
		return &lobbywire.Error{Proto: proto, Field: field, Offset: idEnd, Err: lobbywire.ErrInvalid}
	}
	a.plain = joined
	return nil
}

// join adds the sections of m to those of old. If they contradict each other,
// field names the one that does.
func join(old, m Response) (joined Response, field string) {
	joined = old
	if m.Sections&SectionInfo != 0 {
		if old.Sections&SectionInfo != 0 && !slices.Equal(old.Info, m.Info) {
			return old, "info"
		}
		joined.ID = m.ID
		joined.Info = m.Info
	}
	for section := players; section <= teams; section++ {
		from, to := m.table(section), joined.table(section)
		switch {
		case len(from.Columns) == 0:
			// That may be the other table: nothing tells them apart.
		case len(to.Columns) == 0:
			*to = *from
		case !slices.Equal(from.Columns, to.Columns) || !slices.EqualFunc(from.Rows, to.Rows, slices.Equal):
			return old, sectionNames[section]
		}
	}
	joined.Sections |= m.Sections
	joined.Partial = old.Partial || m.Partial
	return joined, ""
}

func (a *Assembler) done() bool {
	if a.isPlain {
		return a.Options.Sections&^a.plain.Sections == 0
	}
	n := len(a.packets)
	return n > 0 && a.packets[n-1].Last && n == int(a.packets[n-1].Number)+1
}

// Missing returns the numbers of the packets of a split answer that have not
// come, in order. While the last packet is not among those that have, the list
// ends with the number after the highest.
func (a *Assembler) Missing() []uint8 {
	var missing []uint8
	next := uint8(0)
	for _, p := range a.packets {
		for ; next < p.Number; next++ {
			missing = append(missing, next)
		}
		next++
	}
	if n := len(a.packets); n > 0 && !a.packets[n-1].Last {
		missing = append(missing, next)
	}
	return missing
}

// Response returns what has come so far. It is Partial while packets are
// missing. An error about a packet of a split answer names it in Field, as
// "packets[1].players.columns[3].name", and has an Offset in that packet. Before
// the first datagram the error is [lobbywire.ErrTruncated].
func (a *Assembler) Response() (Response, error) {
	if a.isPlain {
		return a.plain, nil
	}
	if len(a.packets) == 0 {
		return Response{}, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	g := gatherer{o: a.Options, later: a.texts, partial: !a.done()}
	for _, p := range a.packets {
		g.later -= countTexts(p.Body)
		r := wire.NewReader(p.Body)
		g.packet(&r, p.Last)
		if err := r.Err(proto); err != nil {
			return Response{}, inPacket(err, p.Number)
		}
	}
	m := Response{ID: a.packets[0].ID}
	g.finish(&m)
	return m, nil
}

// inPacket tells in which packet the body has the error.
func inPacket(err error, number uint8) error {
	var e *lobbywire.Error
	if errors.As(err, &e) {
		e.Field = "packets[" + strconv.Itoa(int(number)) + "]." + e.Field
		e.Offset += bodyOffset
	}
	return err
}

// Reset makes the Assembler ready for another response.
func (a *Assembler) Reset() { *a = Assembler{Options: a.Options, MaxAnswer: a.MaxAnswer} }
