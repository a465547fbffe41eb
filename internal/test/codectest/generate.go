package codectest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
)

// A generator makes random values by reflection.
type generator struct {
	*rand.Rand
	texts    []string                         // texts and keys of messages
	seen     map[reflect.Type][]reflect.Value // values of types with unexported fields
	concrete map[reflect.Type][]reflect.Type  // types of the values of interfaces
}

// texts are special for some codec: separators, terminators, numbers, quotes, white
// space, Latin-1, UTF-8 and texts of maximum lengths.
var texts = [...]string{
	"", "a", "name", "two words", "0", "1", "-1", "007", "1.1", "4294967296", "true", "null", "final",
	`\`, `a\b`, "\x00", "a\x00b", "\n", "a\r", "a\tb", " a", "a ", `"`, "<>&", "_", "player_", "\x11\x12",
	"\x80", "Gr\xfc\xdfe", "Größe", "日本", "\u2028", "😀", "\ufffd", "\x7f", "\x1b",
	strings.Repeat("x", 15), strings.Repeat("x", 16), strings.Repeat("x", 63), strings.Repeat("x", 64),
	strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("é", 127), strings.Repeat("x", 2100),
}

// raws are JSON values.
var raws = [...]string{
	"0", "-1", "1e400", "1.50", "true", "null", `""`, `"a\u0000b"`, "[]", "{}", `{"a":[1,{}]}`, `[1, 2]`,
	"{\"\u2028\" : 1.0 ,\t\"<&>\":\n\"a  b\\u003c\"}",
}

// learn adds the texts and the opaque values of v to g.
func (g *generator) learn(v reflect.Value) {
	walk(v, func(v reflect.Value) bool {
		switch v.Kind() {
		case reflect.String:
			g.texts = append(g.texts, v.String())
		case reflect.Interface:
			if v.IsNil() {
				return false
			}
			if types, t := g.concrete[v.Type()], v.Elem().Type(); !slices.Contains(types, t) && !isVerbatim(t) {
				g.concrete[v.Type()] = append(types, t)
			}
		case reflect.Slice:
			if v.Len() > maxLearned {
				g.learn(v.Slice(0, maxLearned))
				return false
			}
		case reflect.Struct:
			if isOpaque(v.Type()) {
				g.seen[v.Type()] = append(g.seen[v.Type()], v)
				return false
			}
		}
		return true
	})
}

// maxLearned is how many elements of a slice learn reads.
const maxLearned = 8

// learnTags adds the words of the tags of t to the texts: a codec must not take a text
// or a key in Extra for one of these names and keys.
func (g *generator) learnTags(t reflect.Type, done map[reflect.Type]bool) {
	if done[t] {
		return
	}
	done[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		g.learnTags(t.Elem(), done)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			words := strings.FieldsFunc(f.Tag.Get("wire"), func(r rune) bool { return strings.ContainsRune(`,=/|`, r) })
			g.texts = append(g.texts, words...)
			g.texts = append(g.texts, f.Name)
			g.learnTags(f.Type, done)
		}
	}
}

// isOpaque reports whether a struct type has unexported fields.
func isOpaque(t reflect.Type) bool {
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// isVerbatim reports whether a type keeps unknown messages. Random bytes could be read as
// known messages.
func isVerbatim(t reflect.Type) bool { return t.Name() == "Unknown" }

// chance returns true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// mutate changes one part of v.
func (g *generator) mutate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if n := v.NumField(); n > 0 && !isOpaque(v.Type()) {
			g.mutate(v.Field(g.IntN(n)))
			return
		}
	case reflect.Pointer:
		if !v.IsNil() && !g.chance(4) {
			g.mutate(v.Elem())
			return
		}
	case reflect.Interface:
		if !v.IsNil() && isVerbatim(v.Elem().Type()) {
			return
		}
		if !v.IsNil() && !g.chance(8) {
			e := reflect.New(v.Elem().Type()).Elem()
			e.Set(v.Elem())
			g.mutate(e)
			v.Set(e)
			return
		}
	case reflect.Array:
		if n := v.Len(); n > 0 {
			g.mutate(v.Index(g.IntN(n)))
			return
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 && !g.chance(3) && v.Type() != reflect.TypeFor[json.RawMessage]() {
			g.mutateSlice(v)
			return
		}
	}
	g.fill(v, 0)
}

// mutateSlice removes, repeats or changes an element of v.
func (g *generator) mutateSlice(v reflect.Value) {
	i := g.IntN(v.Len())
	switch g.IntN(4) {
	case 0:
		v.Set(reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, v.Len())))
	case 1:
		v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), v.Index(i)))
	default:
		g.mutate(v.Index(i))
	}
}

// maxDepth bounds nested values.
const maxDepth = 6

// fill sets v to a random value.
func (g *generator) fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case netip.Addr:
		v.Set(reflect.ValueOf(g.addr()))
		return
	case netip.AddrPort:
		v.Set(reflect.ValueOf(netip.AddrPortFrom(g.addr(), uint16(g.integer()))))
		return
	case json.RawMessage:
		v.SetBytes([]byte(raws[g.IntN(len(raws))]))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.chance(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		bits := 64 - v.Type().Bits()
		v.SetInt(g.integer() << bits >> bits)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		bits := 64 - v.Type().Bits()
		v.SetUint(uint64(g.integer()) << bits >> bits)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float())
	case reflect.String:
		v.SetString(g.text())
	case reflect.Pointer:
		v.SetZero()
		if depth < maxDepth && !g.chance(3) {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth+1)
		}
	case reflect.Interface:
		v.SetZero()
		if types := g.concrete[v.Type()]; len(types) > 0 {
			e := reflect.New(types[g.IntN(len(types))]).Elem()
			g.fill(e, depth+1)
			v.Set(e)
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth+1)
		}
	case reflect.Slice:
		n := g.IntN(4)
		if depth >= maxDepth {
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			g.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range g.IntN(3) {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.fill(key, depth+1)
			g.fill(element, depth+1)
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		if isOpaque(v.Type()) {
			v.SetZero()
			if seen := g.seen[v.Type()]; len(seen) > 0 {
				v.Set(seen[g.IntN(len(seen))])
			}
			return
		}
		for i := range v.NumField() {
			if g.chance(3) {
				v.Field(i).SetZero()
				continue
			}
			g.fill(v.Field(i), depth+1)
		}
	}
}

// integer returns a number, often a small one or the limit of an integer type.
func (g *generator) integer() int64 {
	switch g.IntN(4) {
	case 0:
		edges := [...]int64{
			0, 1, -1, math.MaxInt8, math.MaxUint8, math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MinInt32,
			math.MaxUint32, math.MaxInt64, math.MinInt64,
		}
		return edges[g.IntN(len(edges))]
	case 1:
		return int64(g.Uint64())
	}
	return int64(g.IntN(70))
}

func (g *generator) float() float64 {
	edges := [...]float64{
		0, 1, -1, 0.5, 1e-7, 1e21, 123456789, math.MaxFloat32, math.Inf(1), math.NaN(), math.Copysign(0, -1),
		float64(float32(0.1)),
	}
	return float64(float32(edges[g.IntN(len(edges))]))
}

func (g *generator) text() string {
	s := g.texts[g.IntN(len(g.texts))]
	if g.chance(8) {
		s += g.texts[g.IntN(len(g.texts))]
	}
	return s
}

func (g *generator) addr() netip.Addr {
	switch g.IntN(6) {
	case 0:
		return netip.Addr{}
	case 1:
		return netip.AddrFrom16([16]byte{0: 0x20, 1: 0x01, 2: 0xd, 3: 0xb8, 15: byte(g.integer())})
	case 2:
		return netip.AddrFrom16([16]byte{10: 0xff, 11: 0xff, 12: 192, 14: 2, 15: byte(g.integer())})
	case 3:
		return netip.MustParseAddr("fe80::1%eth0")
	}
	return netip.AddrFrom4([4]byte{192, 0, byte(g.integer()), byte(g.integer())})
}
