package laws

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// Diff returns the same as cmp.Diff. It is much faster for equal values, as nearly all
// are.
func Diff(want, got any, opts ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, opts...)
}
