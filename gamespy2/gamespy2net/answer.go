package gamespy2net

import (
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// answer appends the answer to a query.
func (e *encoded) answer(m *query, dst [][]byte) [][]byte {
	start, sections := len(dst), m.Sections()
	switch {
	case m.basicStat:
		dst = udp.Append(dst, e.basicStat)
	case m.Split():
		for _, packet := range e.split {
			dst = udp.Append(dst, packet)
		}
	case sections == 0:
	case listsNoKeys(&m.Request):
		dst = udp.Append(dst, e.plain[sections])
	case sections == gamespy2.SectionInfo:
		dst = udp.Append(dst, e.noValues)
		dst[len(dst)-1] = e.appendValues(dst[len(dst)-1], &m.Info)
	}
	for _, b := range dst[start:] {
		gamespy2.SetID(b, m.ID)
	}
	return dst
}

// appendValues appends the values of the listed keys that fit one packet.
func (e *encoded) appendValues(b []byte, keys *gamespy2.Selector) []byte {
	for i := range keys.Len() {
		value := e.values[keys.ID(i)]
		if len(b)+len(value) > gamespy2.MaxPacket {
			break
		}
		b = append(b, value...)
	}
	return b
}
