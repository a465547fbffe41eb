// Package entries has the form in which the entries of lists are shared and saved: a
// family, an identifier that is safe in subjects and file names, and a JSON body, which
// keeps texts of any bytes.
package entries

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A Form is the form of the entries E of a family, with keys K.
type Form[E, K any] struct {
	Family catalogue.Family

	// Expiry is how long after its Seen an entry expires; 0 means that the entry says.
	Expiry time.Duration

	Key     func(E) K
	ID      func(K) string
	ParseID func(id string) (k K, ok bool)

	// Seen and Expires return the times in an entry. Expires is nil if there is an Expiry.
	Seen, Expires func(*E) *time.Time

	// Encode returns the body of an entry, without its key and without what each master
	// sets. Decode is its inverse, and is not ok if the body is not of this form.
	Encode func(E) []byte
	Decode func(k K, body []byte) (e E, ok bool)
}

// Until returns when an entry expires unless its host sends something.
func (f *Form[E, K]) Until(e E) time.Time {
	if f.Expires != nil {
		return *f.Expires(&e)
	}
	return f.Seen(&e).Add(f.Expiry)
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
