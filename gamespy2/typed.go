package gamespy2

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A typedField is a field of a typed response with its key or column. Lists of
// them are the only place of the keys and their order: reading and writing are
// loops over them.
type typedField struct {
	key   string
	value any // *string, *int, *int32, *uint16, *bool or *float64
}

// parse sets the field from its text, and reports whether the text is valid. A
// number that is empty or blank is 0.
func (f *typedField) parse(s string) bool {
	number := cmp.Or(strings.TrimSpace(s), "0")
	var err error
	switch v := f.value.(type) {
	case *string:
		*v = s
	case *bool:
		*v = isTrue(s)
	case *int:
		*v, err = strconv.Atoi(number)
	case *int32:
		var n int64
		n, err = strconv.ParseInt(number, 10, 32)
		*v = int32(n)
	case *uint16:
		var n uint64
		n, err = strconv.ParseUint(number, 10, 16)
		*v = uint16(n)
	case *float64:
		*v, err = strconv.ParseFloat(number, 64)
	}
	return err == nil
}

// isTrue reports whether s is true, by its first letter, as GameSpy's code does.
func isTrue(s string) bool { return s != "" && strings.IndexByte("0FfNn", s[0]) < 0 }

// format returns the text of the field.
func (f *typedField) format() string {
	switch v := f.value.(type) {
	case *string:
		return *v
	case *bool:
		if *v {
			return "1"
		}
		return "0"
	case *int:
		return strconv.Itoa(*v)
	case *int32:
		return strconv.Itoa(int(*v))
	case *uint16:
		return strconv.Itoa(int(*v))
	case *float64:
		return strconv.FormatFloat(*v, 'f', 6, 64)
	}
	return ""
}

// invalid returns an error about a field of a parsed response.
func invalid(field string) error {
	return &lobbywire.Error{Proto: proto, Field: field, Offset: -1, Err: wire.Invalid("is not a number")}
}
