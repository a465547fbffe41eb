package gameagent

import "github.com/lobbywire/lobbywire"

// A StatusRequest asks a server for its [Status]: the byte 2.
type StatusRequest struct{}

// ParseStatusRequest reads a [StatusRequest]. Bytes after the first are ignored.
func ParseStatusRequest(b []byte) (StatusRequest, error) { return Options{}.ParseStatusRequest(b) }

// ParseStatusRequest reads a [StatusRequest]. With Strict, bytes after the first are refused.
func (o Options) ParseStatusRequest(b []byte) (StatusRequest, error) {
	return StatusRequest{}, parseRequest(b, o, typeStatus)
}

// ExplainStatusRequest accounts for every byte of a [StatusRequest].
func ExplainStatusRequest(b []byte) lobbywire.Explanation {
	return explainRequest(b, "StatusRequest", typeStatus)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m StatusRequest) AppendBinary(b []byte) ([]byte, error) { return append(b, typeStatus), nil }

// MarshalBinary returns the wire form.
func (m StatusRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseStatusRequest] does.
func (m *StatusRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseStatusRequest(b)
	return err
}

// A PlayersRequest asks a server for its [Players]: the byte 3.
type PlayersRequest struct{}

// ParsePlayersRequest reads a [PlayersRequest]. Bytes after the first are ignored.
func ParsePlayersRequest(b []byte) (PlayersRequest, error) { return Options{}.ParsePlayersRequest(b) }

// ParsePlayersRequest reads a [PlayersRequest]. With Strict, bytes after the first are refused.
func (o Options) ParsePlayersRequest(b []byte) (PlayersRequest, error) {
	return PlayersRequest{}, parseRequest(b, o, typePlayers)
}

// ExplainPlayersRequest accounts for every byte of a [PlayersRequest].
func ExplainPlayersRequest(b []byte) lobbywire.Explanation {
	return explainRequest(b, "PlayersRequest", typePlayers)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m PlayersRequest) AppendBinary(b []byte) ([]byte, error) { return append(b, typePlayers), nil }

// MarshalBinary returns the wire form.
func (m PlayersRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePlayersRequest] does.
func (m *PlayersRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePlayersRequest(b)
	return err
}

// A PingRequest asks a server for a [Ping]: the byte 4.
type PingRequest struct{}

// ParsePingRequest reads a [PingRequest]. Bytes after the first are ignored.
func ParsePingRequest(b []byte) (PingRequest, error) { return Options{}.ParsePingRequest(b) }

// ParsePingRequest reads a [PingRequest]. With Strict, bytes after the first are refused.
func (o Options) ParsePingRequest(b []byte) (PingRequest, error) {
	return PingRequest{}, parseRequest(b, o, typePing)
}

// ExplainPingRequest accounts for every byte of a [PingRequest].
func ExplainPingRequest(b []byte) lobbywire.Explanation {
	return explainRequest(b, "PingRequest", typePing)
}

// AppendBinary appends the wire form, one byte, to b. It does not fail.
func (m PingRequest) AppendBinary(b []byte) ([]byte, error) { return append(b, typePing), nil }

// MarshalBinary returns the wire form.
func (m PingRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePingRequest] does.
func (m *PingRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePingRequest(b)
	return err
}
