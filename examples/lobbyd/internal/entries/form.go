// Package entries identifies the entries of lists for sharing and saving: by a family, and an
// identifier that is safe in subjects and file names. The body is the binary form of the entry.
package entries

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Form describes the entries E of a family, with keys K.
type Form[E, K any] struct {
	Family catalogue.Family

	// Expiry is how long after its Seen an entry expires; 0 means that the entry states it.
	Expiry time.Duration

	Key     func(*E) *K
	ID      func(K) string
	ParseID func(id string) (k K, ok bool)

	// Seen and Expires return the times in an entry. Expires is nil if there is an Expiry.
	Seen, Expires func(*E) *time.Time

	// Encode and Decode are MarshalBinary and UnmarshalBinary.
	Encode func(E) ([]byte, error)
	decode func(*E, []byte) error
}

// KeyOf returns the key of an entry.
func (f *Form[E, K]) KeyOf(e E) K { return *f.Key(&e) }

// Decode decodes the body of the entry with a key, because early versions did not write the
// key into the body.
func (f *Form[E, K]) Decode(k K, body []byte) (e E, err error) {
	err = f.decode(&e, body)
	*f.Key(&e) = k
	return e, err
}

// Until returns when an entry expires unless its host sends something.
func (f *Form[E, K]) Until(e E) time.Time {
	if f.Expires != nil {
		return *f.Expires(&e)
	}
	return f.Seen(&e).Add(f.Expiry)
}

// GameAgent returns the form of servers of both forms of GameAgent.
func GameAgent() *Form[gamespy1net.Entry, netip.AddrPort] {
	return &Form[gamespy1net.Entry, netip.AddrPort]{
		Family:  catalogue.GameAgent,
		Expiry:  gamespy1net.Expiry,
		Key:     func(e *gamespy1net.Entry) *netip.AddrPort { return &e.Game },
		ID:      addrID,
		ParseID: parseAddrID,
		Seen:    func(e *gamespy1net.Entry) *time.Time { return &e.Seen },
		Encode:  gamespy1net.Entry.MarshalBinary,
		decode:  (*gamespy1net.Entry).UnmarshalBinary,
	}
}

// GameSpy returns the form of servers of GameSpy.
func GameSpy() *Form[gamespy2net.Entry, netip.AddrPort] {
	return &Form[gamespy2net.Entry, netip.AddrPort]{
		Family:  catalogue.GameSpy,
		Expiry:  gamespy2net.Expiry,
		Key:     func(e *gamespy2net.Entry) *netip.AddrPort { return &e.Addr },
		ID:      addrID,
		ParseID: parseAddrID,
		Seen:    func(e *gamespy2net.Entry) *time.Time { return &e.Seen },
		Encode:  gamespy2net.Entry.MarshalBinary,
		decode:  (*gamespy2net.Entry).UnmarshalBinary,
	}
}

// Bomberman returns the form of game servers of Bomberman.
func Bomberman() *Form[bombermannet.Entry, uint64] {
	return &Form[bombermannet.Entry, uint64]{
		Family:  catalogue.Bomberman,
		Expiry:  bombermannet.Expiry,
		Key:     func(e *bombermannet.Entry) *uint64 { return &e.ID },
		ID:      numberID[uint64],
		ParseID: parseNumberID[uint64],
		Seen:    func(e *bombermannet.Entry) *time.Time { return &e.Seen },
		Encode:  bombermannet.Entry.MarshalBinary,
		decode:  (*bombermannet.Entry).UnmarshalBinary,
	}
}

// Warzone returns the form of games of all Warzone lobbies.
func Warzone() *Form[warzonegames.Entry, uint32] {
	return &Form[warzonegames.Entry, uint32]{
		Family:  catalogue.Warzone,
		Key:     func(e *warzonegames.Entry) *uint32 { return &e.ID },
		ID:      numberID[uint32],
		ParseID: parseNumberID[uint32],
		Seen:    func(e *warzonegames.Entry) *time.Time { return &e.Seen },
		Expires: func(e *warzonegames.Entry) *time.Time { return &e.Expires },
		Encode:  warzonegames.Entry.MarshalBinary,
		decode:  (*warzonegames.Entry).UnmarshalBinary,
	}
}

// ID returns the identifier of an entry from its key in the catalogue: "ip:port" of the
// game for GameAgent and of the query port for GameSpy, otherwise the ID in decimal.
func ID(f catalogue.Family, key string) (id string, ok bool) {
	if f != catalogue.GameAgent && f != catalogue.GameSpy {
		return key, true
	}
	addr, err := netip.ParseAddrPort(key)
	return addrID(addr), err == nil
}

// addrID returns an address without colons: its binary form in hexadecimal.
func addrID(addr netip.AddrPort) string {
	b, _ := addr.MarshalBinary() // does not fail
	return hex.EncodeToString(b)
}

func parseAddrID(id string) (addr netip.AddrPort, ok bool) {
	b, err := hex.DecodeString(id)
	return addr, err == nil && addr.UnmarshalBinary(b) == nil && addr.IsValid()
}

func numberID[N uint32 | uint64](n N) string { return strconv.FormatUint(uint64(n), 10) }

func parseNumberID[N uint32 | uint64](id string) (N, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	return N(n), err == nil && uint64(N(n)) == n
}
