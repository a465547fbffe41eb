package gameagent

import "github.com/lobbywire/lobbywire"

// FromServer is a datagram that a client receives from a server: [Status],
// [PlayersPacket], [Ping], [LegacyStatus] or [Unknown].
type FromServer interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	fromServer()
}

func (Status) fromServer()        {}
func (PlayersPacket) fromServer() {}
func (Ping) fromServer()          {}
func (LegacyStatus) fromServer()  {}
func (Unknown) fromServer()       {}

// ParseFromServer reads a datagram, for a client that asked for several things.
// An empty datagram is [lobbywire.ErrTruncated].
//
// What begins with 04 is read as a Ping, for the engine never sends the end mark
// of players alone. What begins with a backslash is read as a whole legacy
// answer; LegacyStatus holds all four.
func ParseFromServer(b []byte) (FromServer, error) { return Options{}.ParseFromServer(b) }

// ParseFromServer reads a datagram, for a client.
func (o Options) ParseFromServer(b []byte) (FromServer, error) {
	switch firstByte(b) {
	case typeLine:
		return asFromServer(o.ParseStatus(b))
	case startOfList, typeRecord:
		return asFromServer(o.ParsePlayersPacket(b))
	case typePing:
		return asFromServer(ParsePing(b))
	case slash:
		return asFromServer(ParseLegacyStatus(b))
	}
	return asFromServer(unknown(b))
}

// typeRecord begins the packets of players that are not the first.
const typeRecord = 'p'

// asFromServer returns no message beside an error.
func asFromServer[M FromServer](m M, err error) (FromServer, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainFromServer accounts for every byte of a datagram to a client.
func ExplainFromServer(b []byte) lobbywire.Explanation {
	switch firstByte(b) {
	case typeLine:
		return ExplainStatus(b)
	case startOfList, typeRecord:
		return ExplainPlayersPacket(b)
	case typePing:
		return ExplainPing(b)
	case slash:
		return ExplainLegacyStatus(b)
	}
	return explainUnknown(b)
}
