package gameagent

import "github.com/lobbywire/lobbywire"

// A ListRequest asks a master for its servers: the letter e. The answer is one
// [ServerList] or several.
type ListRequest struct{}

// ParseListRequest reads a [ListRequest]. Bytes after the first are ignored.
func ParseListRequest(b []byte) (ListRequest, error) { return Options{}.ParseListRequest(b) }

// ParseListRequest reads a [ListRequest]. With Strict, bytes after the first are refused.
func (o Options) ParseListRequest(b []byte) (ListRequest, error) {
	return ListRequest{}, parseRequest(b, o, typeListRequest)
}

// ExplainListRequest accounts for every byte of a [ListRequest].
func ExplainListRequest(b []byte) lobbywire.Explanation {
	return explainRequest(b, "ListRequest", typeListRequest)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m ListRequest) AppendBinary(b []byte) ([]byte, error) { return append(b, typeListRequest), nil }

// MarshalBinary returns the wire form.
func (m ListRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseListRequest] does.
func (m *ListRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseListRequest(b)
	return err
}
