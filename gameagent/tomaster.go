package gameagent

import "github.com/lobbywire/lobbywire"

// ToMaster is a datagram that a master receives: [Join], [Heartbeat],
// [StateChanged] or [ListRequest] at its native port, [LegacyHeartbeat] at its
// legacy port, or [Unknown].
type ToMaster interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	toMaster()
}

func (Join) toMaster()            {}
func (Heartbeat) toMaster()       {}
func (StateChanged) toMaster()    {}
func (ListRequest) toMaster()     {}
func (LegacyHeartbeat) toMaster() {}
func (Unknown) toMaster()         {}

// ParseToMaster reads a datagram, for a master. It allocates nothing for
// requests of one byte. An empty datagram is [lobbywire.ErrTruncated].
func ParseToMaster(b []byte) (ToMaster, error) { return Options{}.ParseToMaster(b) }

// ParseToMaster reads a datagram, for a master.
func (o Options) ParseToMaster(b []byte) (ToMaster, error) {
	switch firstByte(b) {
	case typeJoin:
		return asToMaster(o.ParseJoin(b))
	case typeStateChanged:
		return asToMaster(o.ParseStateChanged(b))
	case typeListRequest:
		return asToMaster(o.ParseListRequest(b))
	case typeLine:
		return asToMaster(o.ParseHeartbeat(b))
	case slash:
		return asToMaster(ParseLegacyHeartbeat(b))
	}
	return asToMaster(unknown(b))
}

// asToMaster returns no message beside an error.
func asToMaster[M ToMaster](m M, err error) (ToMaster, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainToMaster accounts for every byte of a datagram to a master.
func ExplainToMaster(b []byte) lobbywire.Explanation {
	switch firstByte(b) {
	case typeJoin:
		return ExplainJoin(b)
	case typeStateChanged:
		return ExplainStateChanged(b)
	case typeListRequest:
		return ExplainListRequest(b)
	case typeLine:
		return ExplainHeartbeat(b)
	case slash:
		return ExplainLegacyHeartbeat(b)
	}
	return explainUnknown(b)
}
