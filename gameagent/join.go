package gameagent

import "github.com/lobbywire/lobbywire"

// A Join tells a master that a server has started: the letter q. The master
// forgets what it knew of the server and answers with a [Challenge].
type Join struct{}

// ParseJoin reads a [Join]. Bytes after the first are ignored.
func ParseJoin(b []byte) (Join, error) { return Options{}.ParseJoin(b) }

// ParseJoin reads a [Join]. With Strict, bytes after the first are refused.
func (o Options) ParseJoin(b []byte) (Join, error) {
	return Join{}, parseRequest(b, o, typeJoin)
}

// ExplainJoin accounts for every byte of a [Join].
func ExplainJoin(b []byte) lobbywire.Explanation {
	return explainRequest(b, "Join", typeJoin)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m Join) AppendBinary(b []byte) ([]byte, error) { return append(b, typeJoin), nil }

// MarshalBinary returns the wire form.
func (m Join) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseJoin] does.
func (m *Join) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseJoin(b)
	return err
}
