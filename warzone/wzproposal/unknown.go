package wzproposal

// An Unknown is a request or an answer with an unknown command. A lobby answers it with
// [Error]; a client treats it as a failure.
type Unknown Frame

// AppendBinary appends the wire form to b. It fails if [Frame.AppendBinary] does, and
// accepts every Command, even known ones.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) { return Frame(m).AppendBinary(b) }

func (Unknown) message()  {}
func (Unknown) request()  {}
func (Unknown) response() {}

// unknown reads a line or frame of any command.
func (f *fields) unknown() (m Unknown) {
	(*Frame)(&m).layout(f)
	return m
}
