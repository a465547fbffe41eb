package gamelist

import (
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// maxKeys bounds the memory of a server. Battlefield 2 has 45 keys.
const maxKeys = 256

// Keys are keys with their values, in little more memory than their texts. Empty values are
// omitted, because clients treat them like missing keys.
type Keys struct {
	text string   // each key, followed by its value
	ends []uint16 // of each key and each value in text, which is shorter than a datagram
}

// MakeKeys copies up to maxKeys keys.
func MakeKeys(info []gamespy2.KeyValue) Keys {
	size, n := 0, 0
	for _, kv := range info {
		if kv.Value == "" {
			continue
		}
		size += len(kv.Key) + len(kv.Value)
		n++
		if n == maxKeys {
			break
		}
	}
	var text strings.Builder
	text.Grow(size)
	ends := make([]uint16, 0, 2*n)
	for _, kv := range info {
		if kv.Value == "" {
			continue
		}
		if len(ends) == 2*n {
			break
		}
		text.WriteString(kv.Key)
		ends = append(ends, uint16(text.Len()))
		text.WriteString(kv.Value)
		ends = append(ends, uint16(text.Len()))
	}
	return Keys{text.String(), ends}
}

// Len returns the number of keys.
func (k *Keys) Len() int { return len(k.ends) / 2 }

// Lookup returns the value of a key, or the last one if the server reports several.
func (k *Keys) Lookup(key string) (value string, ok bool) {
	for i := len(k.ends) - 2; i >= 0; i -= 2 {
		start, end := 0, int(k.ends[i])
		if i > 0 {
			start = int(k.ends[i-1])
		}
		if k.text[start:end] == key {
			return k.text[end:k.ends[i+1]], true
		}
	}
	return "", false
}

// AppendTo appends the keys to dst.
func (k *Keys) AppendTo(dst []gamespy2.KeyValue) []gamespy2.KeyValue {
	start := 0
	for i := 0; i < len(k.ends); i += 2 {
		key, value := int(k.ends[i]), int(k.ends[i+1])
		dst = append(dst, gamespy2.KeyValue{Key: k.text[start:key], Value: k.text[key:value]})
		start = value
	}
	return dst
}
