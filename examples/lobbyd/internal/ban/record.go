package ban

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Kind is the kind of target of a ban. Marks are kept like bans.
type Kind string

// The kinds.
const (
	KindPrefix   Kind = "prefix"   // of addresses; all their traffic is dropped
	KindPattern  Kind = "pattern"  // for names; servers with such a name are hidden
	KindServer   Kind = "server"   // address and port of a server, which is hidden
	KindOfficial Kind = "official" // address and port of a server, which is marked as official
)

// A Record is a ban, or the end of one. Of two records with the same Kind and Value, the
// later one counts.
type Record struct {
	Kind   Kind      `json:"kind"`
	Value  string    `json:"value"`
	Reason string    `json:"reason,omitempty"` // everybody may read it
	Note   string    `json:"note,omitempty"`   // only operators may read it
	Until  time.Time `json:"until,omitzero"`   // zero without an end
	At     time.Time `json:"at"`               // when the operator gave or ended it
	Ended  bool      `json:"ended,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // members that a later version has written
}

// A recordForm is the saved and shared form of a Record.
type recordForm Record

// MarshalJSON returns the record with its Extra.
func (r Record) MarshalJSON() ([]byte, error) {
	f := recordForm(r)
	return registry.AppendForm(nil, "ban", &f, r.Extra)
}

// UnmarshalJSON reads what MarshalJSON writes, also in a later version.
func (r *Record) UnmarshalJSON(b []byte) error {
	var f recordForm
	extra, err := registry.ParseForm(b, "ban", &f)
	if err == nil {
		*r = Record(f)
		r.Extra = extra
	}
	return err
}

// MaxReason is the maximum size of a Reason and of a Note in bytes.
const MaxReason = 200

// Check returns the record in canonical form, or an error if it is invalid.
func (r Record) Check() (Record, error) {
	for name, text := range map[string]string{"reason": r.Reason, "note": r.Note} {
		if len(text) > MaxReason {
			return r, fmt.Errorf("the %s has %d bytes, more than %d", name, len(text), MaxReason)
		}
	}
	var err error
	switch r.Kind {
	case KindPrefix:
		var p Prefix
		p, err = ParsePrefix(r.Value)
		r.Value = p.String()
	case KindPattern:
		if r.Value == "" {
			return r, fmt.Errorf("an empty pattern would ban everybody")
		}
		_, err = regexp.Compile(r.Value)
	case KindServer, KindOfficial:
		var at netip.AddrPort
		at, err = netip.ParseAddrPort(r.Value)
		if err != nil {
			return r, fmt.Errorf("%q is not the address and port of a server", r.Value)
		}
		r.Value = netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port()).String()
	default:
		return r, fmt.Errorf("%q is not a kind of ban", r.Kind)
	}
	return r, err
}

// ID returns a name of the Kind and Value that has only letters and digits.
func (r Record) ID() string {
	sum := sha256.Sum256([]byte(string(r.Kind) + " " + r.Value))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

// isActive reports whether the ban holds.
func (r Record) isActive(now time.Time) bool {
	return !r.Ended && (r.Until.IsZero() || now.Before(r.Until))
}

// keepEnded is how long a node remembers the end of a ban, for nodes that still have it.
const keepEnded = 30 * 24 * time.Hour

// isForgotten reports whether nobody needs the record any more.
func (r Record) isForgotten(now time.Time) bool {
	switch {
	case r.Ended:
		return now.Sub(r.At) > keepEnded
	case r.Until.IsZero():
		return false
	}
	return now.Sub(r.Until) > keepEnded
}
