package gamespy2

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Assembler joins the datagrams of one [Response], in any order: the packets
// of a response in split form, or several responses in plain form. Clients query
// the sections of the plain form separately if one packet is too small for all.
// The zero Assembler is ready to use. It holds at most 128 packets and MaxAnswer
// bytes.
type Assembler struct {
	// Options are for the packets. If Sections is set, plain responses are complete when
	// they contain all of these sections. Otherwise one plain response is complete.
	Options Options

	// MaxAnswer limits the bytes of all packets of a split response. 0 means
	// 65 536.
	MaxAnswer int

	packets []Packet // of a split response, in the order of their numbers
	size    int      // of their bodies
	texts   int      // in their bodies
	plain   Response // all plain responses, joined
	isPlain bool     // plain is set

	justCause2 bool // the packet has the form of Just Cause 2 Multiplayer
}

// Add adds a datagram and reports whether the response is complete. It does not
// keep b.
//
// Add ignores a packet that was added before. It fails with [lobbywire.ErrInvalid] if the
// datagram contradicts earlier ones: if its form differs, if a packet of a split response
// has another id, a number after the last, or a known number with another body, or if a
// section of a plain response differs. Plain responses may have different ids. On error the
// Assembler is unchanged.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	if len(b) < idEnd || b[0] != byte(TypeQuery) || !isSplit(b[idEnd:]) {
		err = a.addPlain(b)
	} else {
		err = a.addPacket(b)
	}
	return a.done(), err
}

func (a *Assembler) addPacket(b []byte) error {
	p, err := ParsePacket(b)
	if err != nil {
		return err
	}
	switch {
	case a.Options.Strict:
	case p.isJustCause2(p.Body):
		p.Last, a.justCause2 = true, true
	case p.isFullStat(p.Body):
		p.Number, p.Last = 0, true
	}
	at, found := slices.BinarySearchFunc(a.packets, p.Number,
		func(p Packet, n uint8) int { return cmp.Compare(p.Number, n) })
	if err := a.conflict(p, at, found); err != nil || found {
		return err
	}
	if a.packets == nil {
		a.packets = make([]Packet, 0, MaxPackets)
	}
	a.packets = slices.Insert(a.packets, at, p)
	a.size += len(p.Body)
	a.texts += countTexts(p.Body)
	return nil
}

// conflict returns an error if p contradicts the packets before it. p belongs at index at
// of the packets, or is already there.
func (a *Assembler) conflict(p Packet, at int, found bool) error {
	limit := wire.Limit(a.MaxAnswer, maxAnswer)
	n := len(a.packets)
	switch {
	case a.isPlain:
		return refuse("splitnum", idEnd, "follows an answer in plain form")
	case n > 0 && p.ID != a.packets[0].ID:
		return refuse("id", idOffset, "belongs to another answer")
	case found && (p.Last != a.packets[at].Last || string(p.Body) != string(a.packets[at].Body)):
		return refuse("number", numberOffset, "belongs to another packet")
	case !found && p.Last && at < n:
		return refuse("number", numberOffset, "is the last, but a greater one came before")
	case !found && n > 0 && at == n && a.packets[n-1].Last:
		return refuse("number", numberOffset, "is greater than the last")
	case a.Options.Strict && p.Number >= MaxPackets:
		return &lobbywire.Error{Proto: proto, Field: "number", Offset: numberOffset,
			Err: wire.Exceeded(int(p.Number), MaxPackets-1)}
	case !found && len(p.Body) > limit-a.size:
		return &lobbywire.Error{Proto: proto, Field: "body", Offset: bodyOffset,
			Err: wire.Exceeded(a.size+len(p.Body), limit)}
	}
	return nil
}

// refuse returns an error about a field at an offset. For a field of a parsed
// response, the offset is -1.
func refuse(field string, offset int, reason wire.Invalid) error {
	return &lobbywire.Error{Proto: proto, Field: field, Offset: offset, Err: reason}
}

func (a *Assembler) addPlain(b []byte) error {
	o := a.Options
	o.Sections = 0 // the datagram may contain only some of them
	m, err := o.ParseResponse(b)
	if err != nil {
		return err
	}
	if len(a.packets) > 0 {
		return refuse("splitnum", idEnd, "missing, unlike in earlier packets")
	}
	if a.isPlain {
		var field string
		m, field = join(a.plain, m)
		if field != "" {
			return refuse(field, idEnd, "differs from an earlier datagram")
		}
	}
	a.plain, a.isPlain = m, true
	return nil
}

// join adds the sections of m to those of old. field is the name of a section in which they
// differ, or "".
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
			// This may be either table: without columns they look the same.
		case len(to.Columns) == 0:
			*to = *from
		case !from.equal(to):
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

// Missing returns the numbers of the packets of a split response that have not been added,
// in order. While the last packet is missing, the list ends with the number after the
// highest. It is nil before the first packet.
func (a *Assembler) Missing() []int {
	var missing []int
	next := 0
	for _, p := range a.packets {
		for ; next < int(p.Number); next++ {
			missing = append(missing, next)
		}
		next++
	}
	if n := len(a.packets); n > 0 && !a.packets[n-1].Last {
		missing = append(missing, next)
	}
	return missing
}

// Response returns the response. While packets are missing, it is Partial and contains the
// sections received so far. The Field of an error names the packet, such as
// "packets[1].players.columns[3].name"; its Offset counts from the start of that packet.
// Before the first datagram the error is [lobbywire.ErrTruncated].
func (a *Assembler) Response() (Response, error) {
	if a.isPlain {
		return a.plain, nil
	}
	if len(a.packets) == 0 {
		return Response{}, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	g := gatherer{values: maxValues(a.size), later: a.texts, partial: !a.done()}
	for i, p := range a.packets {
		g.later -= countTexts(p.Body)
		if i > 0 && p.Number == a.packets[i-1].Number+1 {
			g.nextPacket(p.Body)
		} else {
			g.nextPacket(nil)
		}
		r := wire.NewReader(p.Body)
		r.DecodeTexts(a.Options.Text)
		reader := packetReader{tableReader: tableReader{o: a.Options}, justCause2: a.justCause2}
		reader.read(&r, &g, p.Last)
		if err := r.Err(proto); err != nil {
			return Response{}, inPacket(err, p.Number)
		}
	}
	m := Response{ID: a.packets[0].ID}
	g.finish(&m)
	return m, nil
}

// inPacket adds the number of the packet to an error about its body.
func inPacket(err error, number uint8) error {
	var e *lobbywire.Error
	if errors.As(err, &e) {
		e.Field = "packets[" + strconv.Itoa(int(number)) + "]." + e.Field
		e.Offset += bodyOffset
	}
	return err
}
