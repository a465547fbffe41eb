package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// Append appends m to b in encoding e. It fails if m's AppendBinary fails and, in
// [Binary], if a text or the message is too long for its size. It refuses a pointer to
// a message with [lobbywire.ErrUnsupported]. On error, it returns b as given.
func (e Encoding) Append(b []byte, m Message) ([]byte, error) {
	w := wire.NewWriter(b)
	f := fields{w: &w, e: e}
	// Calls of a method of Message would move w and f to the heap.
	switch m := m.(type) {
	case List:
		m.layout(&f)
	case OpenGame:
		m.layout(&f)
	case StartGame:
		m.layout(&f)
	case CloseGame:
		m.layout(&f)
	case Count:
		m.layout(&f)
	case Game:
		m.layout(&f)
	case GameList:
		m.layout(&f)
	case Done:
		m.layout(&f)
	case Error:
		m.layout(&f)
	case Frame:
		m.layout(&f)
	case Unknown:
		(*Frame)(&m).layout(&f)
	default:
		w.Fail(wire.Unsupported("is a pointer to a message, or none"), "")
	}
	return w.Finish(proto)
}
