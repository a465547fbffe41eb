package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// A ListAppender appends the parts of a list, unencrypted. It is for masters that cache
// the parts, or that do not hold all servers in a [List]. Encrypt the parts with a
// [Cipher], in the order of sending.
type ListAppender struct {
	form form
}

// NewListAppender returns a ListAppender for lists with these keys and popular
// values. It keeps both slices.
func NewListAppender(keys []Key, popular []string) *ListAppender {
	a := &ListAppender{form{keys: keys, popular: popular, inList: true}}
	a.form.indexPopular()
	return a
}

// AppendStart appends the part before the servers, with ClientIP, DefaultPort, Error and
// NoList of m. It fails if AppendBinary of a [List] would.
func (a *ListAppender) AppendStart(b []byte, m List) ([]byte, error) {
	m.Keys, m.Popular = a.form.keys, a.form.popular
	w := wire.NewWriter(b)
	m.appendStart(&w)
	return w.Finish(proto)
}

// AppendServer appends a server. It fails if AppendBinary of a [List] would. It allocates
// nothing if b has room.
func (a *ListAppender) AppendServer(b []byte, s *Server) ([]byte, error) {
	w := wire.NewWriter(b)
	s.append(&w, &a.form)
	return w.Finish(proto)
}

// AppendEnd appends the end of the servers.
func (a *ListAppender) AppendEnd(b []byte) []byte {
	w := wire.NewWriter(b)
	appendEnd(&w)
	return w.Buffer()
}
