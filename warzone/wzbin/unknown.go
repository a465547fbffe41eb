package wzbin

// An Unknown is a request or an answer whose command is none of ours. A lobby
// answers it with [Error]; a client takes it as a failure.
type Unknown Frame

// AppendBinary appends the wire form to b and fails as [Frame.AppendBinary]
// does. It does not mind a Command that is known.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) { return Frame(m).AppendBinary(b) }

// MarshalBinary returns the wire form.
func (m Unknown) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }
