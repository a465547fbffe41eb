package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A Cut selects where a response in split form is cut into packets, which determines the
// clients that can read it.
type Cut int

// The cuts.
const (
	// CutForAll cuts where all known clients read the packets.
	CutForAll Cut = iota

	// CutColumns cuts columns into any number of packets, whatever their names.
	// GameQ misreads a column from its third packet on, and a column whose name
	// occurs in another text.
	CutColumns

	// CutAnywhere cuts wherever a packet is full, even within keys, names and values, as
	// GameSpy's code does for Battlefield 2. GameQ, opengsq and qstat misread some of these
	// cuts. It is meant for tests of clients.
	CutAnywhere

	// CutAsRead cuts as CutColumns does, for programs that forward responses from
	// [ParseResponse] or an [Assembler]. It also allows what real servers send and some
	// clients misread: empty values, names and keys of any form, and the zero bytes of
	// Minecraft. It fails if the response is Partial or would decode to another one. A
	// plain response and a full stat of Minecraft stay one packet of any size.
	CutAsRead
)

// String returns "for all", "columns", "anywhere", "as read" or a form such as "cut(7)".
func (c Cut) String() string {
	return wire.EnumName(c, "cut", "for all", "columns", "anywhere", "as read")
}

// Packets returns the response as packets of at most [MaxPacket] bytes, in the order of
// sending.
//
// It fails if [Response.AppendBinary] fails. It fails with [lobbywire.ErrTooLarge] if the
// response needs more than [MaxPackets] packets, if a response in plain form does not fit
// one packet, or if it cannot be cut so that all known clients read the packets correctly:
//
//   - Info and the names of the first two players must fit in the first packet, as they do
//     if Info has up to 1250 bytes.
//   - No column takes more than two packets. Info and the names of all players may
//     have about 2700 bytes together, each other column 2700, and the last one with
//     the teams 1350.
//   - Teams are not cut.
//   - The name of a column that is cut is not part of another column's name, as
//     score_ is part of score_t, or of a player's name, and its values are not all 0.
//
// [Response.PacketsCut] has fewer limits, but not all clients read its packets.
func (m Response) Packets() ([][]byte, error) { return m.PacketsCut(CutForAll) }

// PacketsCut is [Response.Packets] with another way of cutting. A response in plain form is
// not cut.
func (m Response) PacketsCut(cut Cut) ([][]byte, error) {
	var w wire.Writer
	var list [][]byte
	switch {
	case cut == CutAsRead:
		list = m.packetsAsRead(&w)
	case !m.Split:
		list = m.plainPacket(&w)
	case cut == CutAnywhere:
		list = m.fullPackets(&w, MaxPacket, MaxPackets)
	default:
		list = m.splitPackets(&w, cut == CutColumns)
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return list, nil
}

// plainPacket returns the single packet of a response in plain form.
func (m *Response) plainPacket(w *wire.Writer) [][]byte {
	*w = wire.NewWriter(make([]byte, 0, MaxPacket))
	m.appendPlain(w)
	if size := w.Len(); size > MaxPacket {
		w.Exceed("", size, MaxPacket)
	}
	return [][]byte{w.Buffer()}
}
