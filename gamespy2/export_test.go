package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// CutInto cuts a response as [CutAnywhere] does, into packets of up to size bytes,
// as many as there can be.
func CutInto(m Response, size int) [][]byte {
	var w wire.Writer
	return m.fullPackets(&w, size, lastFlag)
}
