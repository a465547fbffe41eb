package sqp

import "github.com/lobbywire/lobbywire/internal/wire"

// proto names the package in errors.
const proto = "sqp"

// A Type is the first byte of a packet. A request and its response have the same type.
type Type uint8

// The types.
const (
	TypeChallenge Type = 0
	TypeQuery     Type = 1
)

// String returns "challenge", "query" or, for other types, a form such as "type(7)".
func (t Type) String() string { return wire.EnumName(t, "type", "challenge", "query") }

// A Request is either of the two messages that a server receives.
//
//wire:message
type Request struct {
	Type      Type
	Challenge ChallengeRequest // if Type is TypeChallenge
	Query     QueryRequest     // if Type is TypeQuery
}

// decode allocates nothing unless it fails. An unknown type is
// [lobbywire.ErrUnsupported].
func (m *Request) decode(r *wire.Reader, _ Options) {
	if p := r.Peek(); len(p) > 0 {
		m.Type = Type(p[0])
	}
	switch m.Type {
	case TypeChallenge:
		m.Challenge.decode(r, Options{})
	case TypeQuery:
		m.Query.decode(r, Options{})
	default:
		r.Fail(wire.Unsupported("is neither 0 nor 1"), "type", r.Offset())
	}
}

// append fails if Type is unknown, or if a message of another type is set.
func (m *Request) append(w *wire.Writer) {
	switch m.Type {
	case TypeChallenge:
		if m.Query != (QueryRequest{}) {
			w.Refuse("query", "belongs to another type")
		}
		m.Challenge.append(w)
	case TypeQuery:
		if m.Challenge != (ChallengeRequest{}) {
			w.Refuse("challenge", "belongs to another type")
		}
		m.Query.append(w)
	default:
		w.Fail(wire.Unsupported("is neither 0 nor 1"), "type")
	}
}
