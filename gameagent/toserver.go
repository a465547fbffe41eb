package gameagent

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
)

// ToServer is a datagram that a server receives at its query port: [Challenge]
// from a master, [StatusRequest], [PlayersRequest], [PingRequest] or
// [LegacyRequest] from a client, or [Unknown].
type ToServer interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	toServer()
}

func (Challenge) toServer()      {}
func (StatusRequest) toServer()  {}
func (PlayersRequest) toServer() {}
func (PingRequest) toServer()    {}
func (LegacyRequest) toServer()  {}
func (Unknown) toServer()        {}

// ParseToServer reads a datagram, for a server. It allocates nothing for
// requests of clients. An empty datagram is [lobbywire.ErrTruncated].
//
// A server of the engine speaks the native or the legacy form, never both. This
// reads both: what begins as a native message is one.
func ParseToServer(b []byte) (ToServer, error) { return Options{}.ParseToServer(b) }

// ParseToServer reads a datagram, for a server.
func (o Options) ParseToServer(b []byte) (ToServer, error) {
	switch firstByte(b) {
	case typeChallenge:
		return asToServer(o.ParseChallenge(b))
	case typeStatus:
		return asToServer(o.ParseStatusRequest(b))
	case typePlayers:
		return asToServer(o.ParsePlayersRequest(b))
	case typePing:
		return asToServer(o.ParsePingRequest(b))
	}
	if !isLegacyRequest(b) {
		return asToServer(unknown(b))
	}
	m, err := o.ParseLegacyRequest(b)
	if err != nil {
		return nil, err
	}
	return legacyRequests[m.Query], nil
}

// legacyRequests are boxed once, so that parsing need not do it.
var legacyRequests = [...]ToServer{
	LegacyRequest{LegacyQueryStatus}, LegacyRequest{LegacyQueryInfo},
	LegacyRequest{LegacyQueryBasic}, LegacyRequest{LegacyQueryPlayers},
}

// isLegacyRequest tells whether a server would find a query in b.
func isLegacyRequest(b []byte) bool {
	text, _, _ := bytes.Cut(b, []byte{0})
	_, at := findLegacyQuery(text)
	return at >= 0
}

// asToServer returns no message beside an error.
func asToServer[M ToServer](m M, err error) (ToServer, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainToServer accounts for every byte of a datagram to a server.
func ExplainToServer(b []byte) lobbywire.Explanation {
	switch firstByte(b) {
	case typeChallenge:
		return ExplainChallenge(b)
	case typeStatus:
		return ExplainStatusRequest(b)
	case typePlayers:
		return ExplainPlayersRequest(b)
	case typePing:
		return ExplainPingRequest(b)
	}
	if isLegacyRequest(b) {
		return ExplainLegacyRequest(b)
	}
	return explainUnknown(b)
}
