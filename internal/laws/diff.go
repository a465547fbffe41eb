package laws

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// Diff returns what cmp.Diff does. It is much faster for values that are deeply
// equal, as nearly all are.
func Diff(want, got any, opts ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, opts...)
}
