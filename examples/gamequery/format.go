package main

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
)

// A format is a message type or stream that the program can decode and encode.
type format struct {
	name string // package and type, as "sqp.QueryResponse"
	doc  string // a short description
	codec

	datagram bool // a packet is a datagram of UDP
}

// maxDatagram is more than the size of any datagram.
const maxDatagram = 1 << 16

// datagrams marks formats whose packets are datagrams.
func datagrams(all []format) []format {
	for i := range all {
		all[i].datagram = true
	}
	return all
}

// A codec reads and writes one kind of input. Each is a [message], a [choice]
// or a [stream].
type codec interface {
	// decode writes the JSON form of packets. Several packets are the parts of a
	// split answer in any order, or of a stream in order.
	decode(w io.Writer, packets [][]byte, o options) error

	// explain writes the meaning of each byte of b. It fails if b is broken.
	explain(w io.Writer, b []byte, o options) error

	// encode returns the wire form of the output of decode: one packet or, if split
	// is set, as many packets as necessary.
	encode(text []byte, split bool) ([][]byte, error)
}

// A member is a codec of one message, which can be part of a stream: a
// [message] or a [choice].
type member interface {
	codec

	// kind reads a message and returns its name: the name given, or the one that
	// a choice finds.
	kind(name string, b []byte, o options) (foundName string, err error)

	// line returns the message in b as an object on one line that begins with
	// its name: the name given, or the one that a choice finds.
	line(name string, b []byte, o options) (foundName string, text []byte, err error)

	// explanation accounts for every byte of a message.
	explanation(b []byte, o options) lobbywire.Explanation

	// zero returns the zero value of the message's type; nil for a choice.
	zero() any

	// holds reports whether v is of the message's type.
	holds(v any) bool
}

// formats returns all formats.
var formats = sync.OnceValue(func() []format {
	return slices.Concat(
		sqpFormats(),
		gamespy2Formats(),
		qr2Formats(),
		filterMessages(),
		sb2Formats(),
		gameagentFormats(),
		bombermanFormats(),
		warzoneFormats(),
		textProposal.formats(),
		binaryProposal.formats(),
		wzjsonFormats(),
		wzhttpFormats(),
	)
})

// formatOf returns the format of that name, in any case, among all.
func formatOf(name string) (f format, ok bool) {
	return find(formats(), name)
}

// addFormats appends the formats in others whose names are not in all.
func addFormats(all []format, others ...format) []format {
	for _, f := range others {
		if _, ok := find(all, f.name); !ok {
			all = append(all, f)
		}
	}
	return all
}

// membersOf returns the formats whose messages are of type U, an interface.
func membersOf[U any](all []format) (m members) {
	for _, f := range all {
		c, isMember := f.codec.(member)
		if !isMember {
			continue
		}
		if _, ok := c.zero().(U); ok {
			m = append(m, f)
		}
	}
	return m
}

// find returns the format of that name, in any case.
func find(all []format, name string) (f format, ok bool) {
	i := slices.IndexFunc(all, func(f format) bool { return strings.EqualFold(f.name, name) })
	if i < 0 {
		return format{}, false
	}
	return all[i], true
}
