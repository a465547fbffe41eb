package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Players answers [PlayersRequest]. Sent as one [PlayersPacket]:
//
//	01 "players" 02 count 03
//	["player_#" 02 name 03 "frags_#" 02 frags 03 "ping_#" 02 ping 03]...
//	04
//
// That is a header, for each player a record with the number of the slot in it,
// and an end mark.
//
// Numbers are decimal digits.
type Players struct {
	// Count is how many players are on the server. Not all of them need be
	// listed: the engine looks at its first Count slots only, and players leave
	// gaps.
	Count   int
	Players []Player // in the order of the wire
	Extra   []Pair   // what belongs to no player
}

// ParsePlayers reads [Players] that came as one packet. A part that lacks the
// header fails with [lobbywire.ErrInvalid], one that lacks the end mark with
// [lobbywire.ErrTruncated].
func ParsePlayers(b []byte) (Players, error) { return Options{}.ParsePlayers(b) }

// ParsePlayers reads [Players] that came as one packet.
func (o Options) ParsePlayers(b []byte) (Players, error) {
	r := wire.NewReader(b)
	var m Players
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Players{}, err
	}
	return m, nil
}

// ExplainPlayers accounts for every byte of [Players].
func ExplainPlayers(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Players", b, func(r *wire.Reader) { new(Players).decode(r, Options{}) })
}

func (m *Players) decode(r *wire.Reader, o Options) {
	if p := r.Peek(); len(p) > 0 && p[0] != startOfList {
		r.Fail(lobbywire.ErrInvalid, "type", 0)
	}
	var p PlayersPacket
	p.decode(r, o)
	if !p.Last {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	*m = Players{Count: p.Count, Players: p.Players, Extra: p.Extra}
}

// AppendBinary appends the wire form to b, one packet. It refuses what
// [PlayersPacket.AppendBinary] does; see [Players.Packets] for what is too long.
func (m Players) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w, func(int) {})
	appendEnd(&w, MaxPacket)
	return w.Finish(proto)
}

func (m *Players) append(w *wire.Writer, mark func(end int)) {
	p := PlayersPacket{First: true, Last: true, Count: m.Count, Players: m.Players, Extra: m.Extra}
	p.append(w, mark)
}

// Packets returns the datagrams of the answer, each of [MaxPacket] bytes at
// most: records that do not fit one packet are sent in the next. It refuses a
// record that fits none, and what AppendBinary refuses but for the length of the
// whole.
func (m Players) Packets() ([][]byte, error) {
	w := wire.NewWriter(nil)
	var ends []int
	m.append(&w, func(end int) { ends = append(ends, end) })
	return cutPackets(&w, ends)
}

// cutPackets cuts what was written into packets. The first ends after the header
// or a record, the others after a record: ends holds the end of the header and
// of each record. What follows the last stays with it.
func cutPackets(w *wire.Writer, ends []int) ([][]byte, error) {
	ends[len(ends)-1] = w.Len()
	whole, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	var packets [][]byte
	start := 0
	for i, end := range ends {
		if end-start > MaxPacket && i > 0 {
			packets = append(packets, whole[start:ends[i-1]:ends[i-1]])
			start = ends[i-1]
		}
		if end-start > MaxPacket {
			if i > 0 {
				w.In("players", i-1)
			}
			w.Fail(lobbywire.ErrTooLarge, "")
		}
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return append(packets, whole[start:]), nil
}

// MarshalBinary returns the wire form.
func (m Players) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePlayers] does.
func (m *Players) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePlayers(b)
	return err
}
