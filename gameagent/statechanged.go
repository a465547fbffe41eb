package gameagent

import "github.com/lobbywire/lobbywire"

// A StateChanged tells a master that a player has entered a server: the letter
// u. The master does nothing about it, but a server that it does not know gets a
// [Challenge].
type StateChanged struct{}

// ParseStateChanged reads a [StateChanged]. Bytes after the first are ignored.
func ParseStateChanged(b []byte) (StateChanged, error) { return Options{}.ParseStateChanged(b) }

// ParseStateChanged reads a [StateChanged]. With Strict, bytes after the first are refused.
func (o Options) ParseStateChanged(b []byte) (StateChanged, error) {
	return StateChanged{}, parseRequest(b, o, typeStateChanged)
}

// ExplainStateChanged accounts for every byte of a [StateChanged].
func ExplainStateChanged(b []byte) lobbywire.Explanation {
	return explainRequest(b, "StateChanged", typeStateChanged)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m StateChanged) AppendBinary(b []byte) ([]byte, error) { return append(b, typeStateChanged), nil }

// MarshalBinary returns the wire form.
func (m StateChanged) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseStateChanged] does.
func (m *StateChanged) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseStateChanged(b)
	return err
}
