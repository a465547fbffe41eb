package check

// A Stream is a protocol over TCP. Some cases are the same for all of them.
type Stream interface {
	Query() []byte               // a request that is answered at once
	IsWhole(answers []byte) bool // reports whether all of the answer has come
	Judge(answers []byte) error  // of Query
}

// AliveStream fails if a query gets no answer, right or wrong.
func AliveStream(s *Session, stream Stream) {
	c := s.Dial()
	defer c.Line.Close()
	c.Send(stream.Query())
	err := s.Try(func() { c.Hear(stream.IsWhole) })
	if c.read == 0 {
		s.Check(err)
	}
}

// AskPieces is a case of a query in pieces. The answer must not wait for the end of the
// connection.
func AskPieces(s *Session, stream Stream, at ...int) {
	c := s.Dial()
	defer c.Line.Close()
	c.Send(Pieces(stream.Query(), at...)...)
	s.Check(stream.Judge(c.Hear(stream.IsWhole)))
}

// AskBesideSlow is a case of a client in the middle of a query, which must not delay
// another client.
func AskBesideSlow(s *Session, stream Stream, at int) {
	slow := s.Dial()
	defer slow.Line.Close()
	parts := Pieces(stream.Query(), at)
	slow.Send(parts[0])
	s.In("the other client", func() { AskPieces(s, stream) })
	slow.Send(parts[1])
	s.Check(stream.Judge(slow.Hear(stream.IsWhole)))
}
