package sb2

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A KeyType is the encoding of the values of a key.
type KeyType uint8

// The types of keys.
const (
	KeyText  KeyType = 0
	KeyByte  KeyType = 1 // a number up to 255
	KeyShort KeyType = 2 // a number up to 65535, big-endian
)

// String returns a name such as "byte", or "keyType(3)" for an unknown type.
func (t KeyType) String() string {
	return wire.EnumName(t, "keyType", "text", "byte", "short")
}

// A Key is a key for which each server of a list has a value.
type Key struct {
	Type KeyType
	Name string
}

// MarshalText returns name and type, such as "numplayers:byte".
func (k Key) MarshalText() ([]byte, error) {
	return []byte(k.Name + ":" + k.Type.String()), nil
}

// UnmarshalText reads the form that MarshalText returns. A name without a type is
// a text key.
func (k *Key) UnmarshalText(text []byte) error {
	name, typ := string(text), KeyText.String()
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name, typ = name[:i], name[i+1:]
	}
	for t := KeyText; t <= KeyShort; t++ {
		if t.String() == typ {
			*k = Key{t, name}
			return nil
		}
	}
	return &lobbywire.Error{Proto: proto, Field: "keyType", Offset: -1, Err: wire.Invalid("is unknown")}
}

// minKey is the size of the shortest key.
const minKey = 2

// decodeKeys reads the number of keys, and the keys.
func decodeKeys(r *wire.Reader, field string) []Key {
	return decodeList(r, "keyCount", field, minKey, func() (k Key) {
		at := r.Offset()
		k.Type = KeyType(r.Uint8("keyType"))
		if k.Type > KeyShort {
			r.Fail(wire.Unsupported("is unknown"), "keyType", at)
		}
		k.Name = r.Text0("name")
		return k
	})
}

// appendKeys appends the number of keys, and the keys.
//
//wire:fails there are more than [MaxKeys] keys, or if a key is invalid
func appendKeys(w *wire.Writer, field string, keys []Key) {
	appendList(w, "keyCount", field, keys, func(k *Key) {
		if k.Type > KeyShort {
			w.Fail(wire.Unsupported("is unknown"), "keyType")
		}
		w.Uint8(uint8(k.Type))
		w.Text0("name", k.Name)
	})
}
