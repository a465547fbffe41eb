package wzjson_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// However a stream is cut, a Framer reads each byte once.
func TestFramerReadsOnce(t *testing.T) {
	long := `{"a":"` + strings.Repeat(`é\"}`, 10_000) + `","b":[` + strings.Repeat(`{},`, 1000) + "{}]}"
	for _, size := range []int{1, 2, 3, 8, 1000, 1 << 20} {
		framing(wzjson.Options{}).ReadsOnce(t, []byte(long+"\n \n{}"+long), size, 0)
	}
}
