package gamespy2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A BasicStatRequest asks a Minecraft server for a [BasicStat]. It is a query
// without selectors, which servers of other games ignore. Minecraft's full stat
// is a [Response] in split form, to a usual query with a challenge.
//
//	offset  size  field
//	0       2     magic, FE FD
//	2       1     type, 0
//	3       4     id
//	7       4     challenge, big-endian
type BasicStatRequest struct {
	ID        [4]byte // Minecraft sees only the low 4 bits of each byte
	Challenge int32   // of the ChallengeResponse
}

// ParseBasicStatRequest reads a [BasicStatRequest]. Longer requests, for a full
// stat, are [lobbywire.ErrTrailing]; [Options.ParseRequest] reads them.
func ParseBasicStatRequest(b []byte) (BasicStatRequest, error) {
	r := wire.NewReader(b)
	var m BasicStatRequest
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return BasicStatRequest{}, err
	}
	return m, nil
}

// ExplainBasicStatRequest accounts for every byte of a [BasicStatRequest].
func ExplainBasicStatRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "BasicStatRequest", b, func(r *wire.Reader) { new(BasicStatRequest).decode(r) })
}

func (m *BasicStatRequest) decode(r *wire.Reader) {
	decodeMagic(r)
	decodeType(r, TypeQuery)
	m.ID = decodeID(r)
	m.Challenge = int32(r.Uint32("challenge"))
	r.End()
}

// AppendBinary appends the wire form to b. It does not fail.
func (m BasicStatRequest) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint16(magic)
	w.Uint8(uint8(TypeQuery))
	w.Bytes(m.ID[:])
	w.Uint32(uint32(m.Challenge))
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m BasicStatRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseBasicStatRequest] does.
func (m *BasicStatRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseBasicStatRequest(b)
	return err
}

// A BasicStat is the short answer of a Minecraft server.
//
//	offset  size  field
//	0       1     type, 0
//	1       4     id
//	5       n     motd, ended by 0
//	        n     gameType, ended by 0
//	        n     map, ended by 0
//	        n     numPlayers, decimal, ended by 0
//	        n     maxPlayers, decimal, ended by 0
//	        2     hostPort, little-endian
//	        n     hostIp, ended by 0
type BasicStat struct {
	ID         [4]byte // that of the request
	MOTD       string  // with colour codes: a section sign, Latin-1 or UTF-8, and a letter
	GameType   string  // "SMP"
	Map        string  // name of the world
	NumPlayers int32
	MaxPlayers int32
	HostPort   uint16
	HostIP     string // as the server is configured
}

// ParseBasicStat reads a [BasicStat].
func ParseBasicStat(b []byte) (BasicStat, error) { return Options{}.ParseBasicStat(b) }

// ParseBasicStat reads a [BasicStat].
func (o Options) ParseBasicStat(b []byte) (BasicStat, error) {
	r := wire.NewReader(b)
	var m BasicStat
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return BasicStat{}, err
	}
	return m, nil
}

// ExplainBasicStat accounts for every byte of a [BasicStat].
func ExplainBasicStat(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "BasicStat", b, func(r *wire.Reader) { new(BasicStat).decode(r, Options{}) })
}

func (m *BasicStat) decode(r *wire.Reader, o Options) {
	decodeType(r, TypeQuery)
	m.ID = decodeID(r)
	m.MOTD = r.Text0("motd")
	m.GameType = r.Text0("gameType")
	m.Map = r.Text0("map")
	m.NumPlayers = int32(r.Int0(32, "numPlayers"))
	m.MaxPlayers = int32(r.Int0(32, "maxPlayers"))
	m.HostPort = r.Uint16LE("hostPort")
	m.HostIP = r.Text0("hostIp")
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), "ignored")
}

// AppendBinary appends the wire form to b. It fails if a text has a zero byte.
func (m BasicStat) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeQuery))
	w.Bytes(m.ID[:])
	w.Text0("motd", m.MOTD)
	w.Text0("gameType", m.GameType)
	w.Text0("map", m.Map)
	w.Int0(int64(m.NumPlayers))
	w.Int0(int64(m.MaxPlayers))
	w.Uint16LE(m.HostPort)
	w.Text0("hostIp", m.HostIP)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m BasicStat) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseBasicStat] does.
func (m *BasicStat) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseBasicStat(b)
	return err
}
