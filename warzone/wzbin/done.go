package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Done answers a request other than [List] that the lobby has carried out.
//
//	07 00
type Done struct{}

// ParseDone reads a [Done].
func ParseDone(b []byte) (Done, error) { return Options{}.ParseDone(b) }

// ParseDone reads a [Done].
func (o Options) ParseDone(b []byte) (Done, error) {
	r := wire.NewReader(b)
	var m Done
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Done{}, err
	}
	return m, nil
}

// ExplainDone accounts for every byte of a [Done].
func ExplainDone(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Done", b, func(r *wire.Reader) { new(Done).decode(r, Options{}) })
}

func (m *Done) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *Done) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandDone)
	f.end()
}

// AppendBinary appends the wire form to b. It does not fail.
func (m Done) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandDone)
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Done) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseDone] does.
func (m *Done) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseDone(b)
	return err
}
