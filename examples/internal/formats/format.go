// Package formats lists all messages and streams that the program decodes, explains and
// encodes.
package formats

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
)

// A Format is a message type or stream that the program can decode and encode.
type Format struct {
	Name string // package and type, as "sqp.QueryResponse"
	Doc  string // a short description
	Codec

	Datagram bool // a packet is a datagram of UDP
}

// MaxDatagram is larger than any datagram.
const MaxDatagram = 1 << 16

// datagrams marks formats whose packets are datagrams.
func datagrams(all []Format) []Format {
	for i := range all {
		all[i].Datagram = true
	}
	return all
}

// A Codec reads and writes one kind of input. Each is a [message], a [choice]
// or a [stream].
type Codec interface {
	// Decode writes the JSON form of packets. Several packets are the parts of a
	// split answer in any order, or of a stream in order.
	Decode(w io.Writer, packets [][]byte, o Options) error

	// Explain writes the meaning of each byte of b. It fails if b is broken.
	Explain(w io.Writer, b []byte, o Options) error

	// Encode returns the wire form of the output of decode: one packet or, if split
	// is set, as many packets as necessary.
	Encode(text []byte, split bool) ([][]byte, error)
}

// A Member is a codec of one message, which can be part of a stream: a
// [message] or a [choice].
type Member interface {
	Codec

	// Kind reads a message and returns its name: the given name, or the name that a choice
	// finds.
	Kind(name string, b []byte, o Options) (foundName string, err error)

	// line returns the message in b as an object on one line that begins with its name: the
	// given name, or the name that a choice finds.
	line(name string, b []byte, o Options) (foundName string, text []byte, err error)

	// Explanation accounts for every byte of a message.
	Explanation(b []byte, o Options) lobbywire.Explanation

	// zero returns the zero value of the message's type; nil for a choice.
	zero() any

	// holds reports whether v is of the message's type.
	holds(v any) bool
}

// All returns all formats.
var All = sync.OnceValue(func() []Format {
	return slices.Concat(
		sqpFormats(),
		gamespy2Formats(),
		qr2Formats(),
		filterMessages(),
		sb2Formats(),
		gameagentFormats(),
		gamespy1Formats(),
		bombermanFormats(),
		warzoneFormats(),
		textProposal.formats(),
		binaryProposal.formats(),
		wzjsonFormats(),
		wzhttpFormats(),
	)
})

// byName returns all formats by their names in lower case.
var byName = sync.OnceValue(func() map[string]Format {
	found := make(map[string]Format)
	for _, f := range All() {
		found[strings.ToLower(f.Name)] = f
	}
	return found
})

// Named returns the format of that name, in any case, among all.
func Named(name string) (f Format, ok bool) {
	f, ok = byName()[strings.ToLower(name)]
	return f, ok
}

// Meant returns the formats that a name in a header can mean: a name with a package, a
// message of the package pkg or of a proposal of Warzone, or else messages of any package.
func Meant(name, pkg, proposal string) []Format {
	if f, ok := Named(name); ok {
		return []Format{f}
	}
	if proposal != "" {
		pkg = "wz" + proposal
	}
	if f, ok := Named(pkg + "." + name); ok {
		return []Format{f}
	}
	var all []Format
	for _, f := range All() {
		if _, kind, _ := strings.Cut(f.Name, "."); strings.EqualFold(kind, name) {
			all = append(all, f)
		}
	}
	return all
}

// addFormats appends the formats in others whose names are not in all.
func addFormats(all []Format, others ...Format) []Format {
	for _, f := range others {
		if _, ok := Find(all, f.Name); !ok {
			all = append(all, f)
		}
	}
	return all
}

// membersOf returns the formats whose messages are of type U, an interface.
func membersOf[U any](all []Format) (m members) {
	for _, f := range all {
		c, isMember := f.Codec.(Member)
		if !isMember {
			continue
		}
		if _, ok := c.zero().(U); ok {
			m = append(m, f)
		}
	}
	return m
}

// Find returns the format of that name, in any case.
func Find(all []Format, name string) (f Format, ok bool) {
	i := slices.IndexFunc(all, func(f Format) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}
