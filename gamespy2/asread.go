package gamespy2

import (
	"cmp"
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// packetsAsRead returns packets that decode to m; see [CutAsRead].
func (m Response) packetsAsRead(w *wire.Writer) [][]byte {
	m.checkRows(w)
	if w.Failed() {
		return nil
	}
	var list [][]byte
	*w = wire.NewWriter(make([]byte, 0, MaxPacket))
	switch {
	case !m.Split:
		m.appendPlainSections(w, cmp.Or(m.Sections, AllSections))
		list = [][]byte{w.Buffer()}
	case len(m.Teams.Columns) == 0 && isMinecraftInfo(appendInfo(nil, m.Info)):
		m.Sections = SectionInfo | SectionPlayers // a parsed response has all sections
		m.appendPacket(w)
		list = [][]byte{w.Buffer()}
	default:
		c := cutter{m: &m, long: true, banned: make([]bool, len(m.Players.Columns))}
		c.body, c.starts = m.appendSections(nil, nil)
		list = c.packets(w)
	}
	if !w.Failed() && !m.isReadFrom(list) {
		w.Refuse("", "is read as another response")
	}
	return list
}

// isReadFrom reports whether packets decode to m.
func (m *Response) isReadFrom(packets [][]byte) bool {
	var got Response
	var err error
	if m.Split {
		var a Assembler
		for _, p := range packets {
			if _, err := a.Add(p); err != nil {
				return false
			}
		}
		got, err = a.Response()
	} else {
		got, err = Options{Sections: cmp.Or(m.Sections, AllSections)}.ParseResponse(packets[0])
	}
	return err == nil && !got.Partial && got.Split == m.Split && got.ID == m.ID && slices.Equal(got.Info, m.Info) &&
		got.Players.equal(&m.Players) && got.Teams.equal(&m.Teams)
}
